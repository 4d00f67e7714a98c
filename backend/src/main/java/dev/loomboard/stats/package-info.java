/**
 * Every formula, once, in plain Java. Deterministic: {@code StrictMath}, and sums in trial order.
 *
 * <p>Means and margins: {@link Mean}, {@link Margin}, {@link Scale}. A verdict: {@link Block}, {@link Effect},
 * {@link Judgement}, {@link Family}. What may be judged: {@link Eligibility}, {@link Failures}, {@link Exclusions}. Changes:
 * {@link Detector}, {@link Confirmation}, {@link ControlComparison}, {@link NightlyScreen}, {@link SequentialRerun},
 * {@link Bisection}. Ranks: {@link Ranks}, {@link RunSpread}. Versions: {@link Methodology}.
 *
 * <p>It is given numbers and gives numbers: no file, no table, no metric's name, no other package.
 */
@NullMarked
package dev.loomboard.stats;

import org.jspecify.annotations.NullMarked;
