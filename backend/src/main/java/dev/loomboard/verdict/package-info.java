/**
 * The tests of a run: declared when it is created, judged when it ends, and the page of its verdicts.
 *
 * <p>{@link dev.loomboard.verdict.DeclaredTest} lists a run's tests when the run is created, one family per
 * {@link dev.loomboard.verdict.TestDimension}. {@link dev.loomboard.verdict.VerdictService} judges them when the run ends
 * and when it is recomputed. {@link dev.loomboard.verdict.PairedTrials} makes blocks of trials and
 * {@link dev.loomboard.verdict.Judge} makes the outcomes; both are plain, and the formulas are in {@code stats}.
 * {@code /runs/…/verdicts} lists all tests of a run.
 */
@NullMarked
package dev.loomboard.verdict;

import org.jspecify.annotations.NullMarked;
