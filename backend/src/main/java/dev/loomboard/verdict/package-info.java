/**
 * The tests of a run: declared when it is created, judged when it ends.
 *
 * <p>{@link DeclaredTest} lists a run's tests, one family per {@link TestDimension}. {@link VerdictService} judges them when
 * the run ends and when it is recomputed: {@link PairedTrials} makes blocks of trials, {@link LostTrials} bounds what is
 * missing, {@link Judge} makes the {@link Outcome}s by {@code stats.paired}, {@link VerdictStore} keeps them. {@link Pilot} says
 * who gets further trials.
 *
 * <p>It must not know pages, the runs' queue or regressions: they read what it stored.
 */
@NullMarked
package dev.loomboard.verdict;

import org.jspecify.annotations.NullMarked;
