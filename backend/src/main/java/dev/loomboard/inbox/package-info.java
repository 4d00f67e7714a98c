/**
 * The inbox of regressions: pages, triage, the API and the feed.
 *
 * <p>{@link RegressionPages} and {@link RegressionApi} show what {@code regression} reads; {@link TriageService} stores what
 * people say, in columns of its own and a row of {@code regression_event} per change; {@link FollowUpPages} starts reruns
 * and bisections. {@link FollowUpJob} runs every minute on one replica: it reads the ends of follow-ups, continues
 * bisections, screens runs, queues reruns, looks for controls. {@code CauseSummary} says what one build's regressions point
 * to.
 *
 * <p>It is the top of the house: no package may know it.
 */
@NullMarked
package dev.loomboard.inbox;

import org.jspecify.annotations.NullMarked;
