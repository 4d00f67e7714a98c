/**
 * What stands side by side in a comparison: the same cell on two sides, with the verdict that was stored.
 *
 * <p>{@link CompareStore} reads two JDK builds, and {@link CellMatcher} finds their cells on the same machine;
 * {@link AttemptStore} adds the runs that were to measure them before, pooled ({@link Attempts}).
 * {@link MultiComparisonStore} reads the other dimensions (servers, collectors, limits, machines, runs), whose series
 * {@link SeriesMatcher} matches. {@link RatioSummary} is the mean over cells.
 *
 * <p>It must not judge: {@code verdict} declared and judged the tests.
 */
@NullMarked
package dev.loomboard.matching;

import org.jspecify.annotations.NullMarked;
