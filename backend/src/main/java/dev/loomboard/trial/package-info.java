/**
 * The page of one trial, down to its samples.
 *
 * <p>{@link TrialStore} reads a {@link TrialDetail}; {@link Curves} turns samples and histograms into points,
 * {@link TrialCharts} into charts; {@link PhaseStrip}, {@link Attribution}, {@link SearchView} and {@link PercentileCurve}
 * are its parts; {@link TrialPages} serves it.
 *
 * <p>It makes no stored number: {@code rollup} did. No package may know it.
 */
@NullMarked
package dev.loomboard.trial;

import org.jspecify.annotations.NullMarked;
