/**
 * The verdict of a candidate against a baseline, by blocks of trials that ran side by side.
 *
 * <p>{@link Block}s make an {@link Effect}; {@link Judgement} and {@link Verdict} say what it is worth, at a p that its
 * {@link Family} adjusts. What is shown beside it: {@link FindableChange}, {@link CrossChecks}, {@link Bimodality}. What
 * blocks it: {@link Exclusions}. How many blocks there should be: {@link Power}, {@link Allocation}; how often one may look:
 * {@link AlphaSpending}. {@link AaTest} compares one thing with itself.
 */
@NullMarked
package dev.loomboard.stats.paired;

import org.jspecify.annotations.NullMarked;
