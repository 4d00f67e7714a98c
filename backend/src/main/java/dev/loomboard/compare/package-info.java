/**
 * Pages that compare cells. They read stored verdicts and decide nothing.
 *
 * <p>{@link dev.loomboard.compare.CompareStore} reads two JDK builds side by side: the same cells on the same machine;
 * {@link dev.loomboard.compare.AttemptStore} adds the runs that were to measure them before, pooled.
 * {@link dev.loomboard.compare.MultiComparisonStore} reads the other dimensions (servers, collectors, limits, machines, runs)
 * with one baseline and several candidates. {@code /compare/cells} ({@link dev.loomboard.compare.ShiftFunction}) describes
 * two cells from the histograms of their trials, and {@code /compare/grid} lays out the newest points: neither judges.
 */
@NullMarked
package dev.loomboard.compare;

import org.jspecify.annotations.NullMarked;
