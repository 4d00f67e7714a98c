/**
 * Pages that compare builds, servers, collectors, limits, machines and runs, and the call of scripts that asks the same.
 *
 * <p>{@link ComparisonQuery} is the address, {@link ComparePages} the controller. {@link ComparePage} shows two JDK builds,
 * {@link MultiComparisonPage} one baseline with several candidates; {@link ComparisonApi} answers what these pages show.
 *
 * <p>It reads nothing by itself and judges nothing: {@code matching} finds what stands side by side, {@code verdict} judged it.
 */
@NullMarked
package dev.loomboard.compare;

import org.jspecify.annotations.NullMarked;
