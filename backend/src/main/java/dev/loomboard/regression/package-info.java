/**
 * Suspected changes: a rerun confirms or clears them, and controls say what the host did.
 *
 * <p>{@code changepoint} writes the suspects, and {@link ScreenService} those of a loose look at each night with a control,
 * which only start reruns. {@link RerunService} queues looks of the last good build against the new one ({@link FollowUp}
 * says of what), and {@link RerunDecision} decides by each look's verdict. {@link ControlService} compares the same cell on
 * builds that stayed; {@link HistoryDecision} confirms or clears by it. {@link RegressionStore} reads {@link Regression}s
 * for pages. {@link DefaultRerunService} asks of a confirmed one whether a changed default explains it.
 *
 * <p>It must not know {@code bisection} and {@code inbox}, which continue its work.
 */
@NullMarked
package dev.loomboard.regression;

import org.jspecify.annotations.NullMarked;
