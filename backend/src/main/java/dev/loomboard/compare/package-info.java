/**
 * Pages that compare cells. They read stored verdicts and decide nothing.
 *
 * <p>{@link ComparisonQuery} is the address. {@link CompareStore} reads two JDK builds side by side: the same cells on the
 * same machine; {@link AttemptStore} adds the runs that were to measure them before, pooled. {@link MultiComparisonStore}
 * reads the other dimensions (servers, collectors, limits, machines, runs) with one baseline and several candidates.
 * {@link ShiftFunction} describes two cells ({@code /compare/cells}), {@link Grid} lays out the newest points
 * ({@code /compare/grid}): neither judges.
 *
 * <p>It must not judge: {@code verdict} declared and judged the tests.
 */
@NullMarked
package dev.loomboard.compare;

import org.jspecify.annotations.NullMarked;
