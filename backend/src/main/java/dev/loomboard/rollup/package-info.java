/**
 * Numbers of a trial from its raw record, and of a finished cell from its trials.
 *
 * <p>{@link EndedTrial} is what a roll-up reads; {@link StepNumbers} makes {@link StepPercentiles},
 * {@link TrialNumbers} {@link MetricValue}s, of a mix also {@link OperationNumbers};
 * {@link FinishedCell} becomes {@link CellSummary} and {@link CellStanding}; {@link Headline} is the metric that a scenario
 * ranks by. A metric is a row of the catalogue ({@code catalog}) and a line in {@link TrialNumbers}; pages, histories and
 * the API follow the catalogue.
 *
 * <p>It must not know comparisons: what two cells mean together is {@code verdict}'s.
 */
@NullMarked
package dev.loomboard.rollup;

import org.jspecify.annotations.NullMarked;
