/**
 * Every formula, once, in plain Java. Deterministic: {@code StrictMath}, and sums in trial order.
 *
 * <p>This package has what the others stand on: {@link Scale}, {@link Margin}, {@link Mean} and {@link Moments}, intervals
 * ({@link Welch}, {@link SpreadInterval}), ratios ({@link Ratio}, {@link RatioMean}, {@link PooledRatio}), ranks ({@link Ranks},
 * {@link RunSpread}), and the version of all of them, {@link Methodology}. By subject: {@code latency} is what of a trial may
 * be judged; {@code paired} a verdict of two sides by blocks; {@code change} a change in a series, from suspicion to rerun;
 * {@code bisection} which build brought it.
 *
 * <p>It is given numbers and gives numbers: no file, no table, no metric's name, no package but its own.
 */
@NullMarked
package dev.loomboard.stats;

import org.jspecify.annotations.NullMarked;
