/**
 * Which of several builds brought a change: {@link Bisection} chooses the next build to measure by what its answer would tell,
 * and {@link TwoChanges} says when one change explains the answers badly. Both weigh trials by {@code StepNoise}.
 */
@NullMarked
package dev.loomboard.stats.bisection;

import org.jspecify.annotations.NullMarked;
