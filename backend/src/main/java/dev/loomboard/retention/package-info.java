/**
 * What is removed because of its age: raw samples of trials, and messages that are over.
 *
 * <p>{@link RetentionService} removes them trial by trial, {@link RetentionStore} finds those that are old enough,
 * {@link SampleRetentionJob} runs each night. A trial knows when its samples were removed ({@code trial.samples_removed_at});
 * its page says so, its percentiles can be made again, its sampled numbers cannot, and it takes no more uploads.
 * {@link MessageRetentionService} removes messages of the outbox that were sent or given up long ago, by {@link MessageRetentionJob}.
 */
@NullMarked
package dev.loomboard.retention;

import org.jspecify.annotations.NullMarked;
