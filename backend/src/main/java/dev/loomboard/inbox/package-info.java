/**
 * The inbox of regressions: pages, triage, the API and the feed.
 *
 * <p>{@link dev.loomboard.inbox.FollowUpJob} runs every minute on one replica: it continues bisections, queues reruns and reads
 * controls. Triage, the part of people, has columns of its own in {@code change_point} and a row in {@code regression_event} for
 * each change. The page of a regression also compares the diagnostic trials of both builds: flags, counts, and the
 * differential flame graph ({@link dev.loomboard.artefact.Flames}).
 */
@NullMarked
package dev.loomboard.inbox;

import org.jspecify.annotations.NullMarked;
