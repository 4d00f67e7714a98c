/**
 * Suspected changes: a rerun confirms or drops them, and controls say what the host did.
 *
 * <p>{@code changepoint} writes the suspects, and {@link dev.loomboard.regression.ScreenService} those of a loose look at each night
 * with a control, which only start reruns. {@link dev.loomboard.regression.RerunService} queues one run per machine of the last
 * good build against the new one ({@link dev.loomboard.regression.FollowUp} says of what), and when that run has ended lets
 * {@link dev.loomboard.regression.RerunDecision} decide by its verdict. An owner may ask for the rerun of a regression that its
 * history alone confirmed. {@link dev.loomboard.regression.ControlService} reads the same cell on builds that stayed, and
 * {@link dev.loomboard.stats.ControlComparison} says what the host did.
 */
@NullMarked
package dev.loomboard.regression;

import org.jspecify.annotations.NullMarked;
