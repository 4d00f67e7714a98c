/**
 * Change points of series: the suspects.
 *
 * <p>When a cell is rolled up, {@link ChangePointService} runs the detector over the {@link ComparablePoints} of each judged
 * series, puts what it finds at a build ({@link DetectedChange}), reconciles it with what is stored
 * ({@link ChangeReconciliation}), and tests the history of each change once, when enough points follow it.
 * {@link ChangePointStore} keeps the detector's columns.
 *
 * <p>It confirms nothing: a rerun does, or a control in {@code regression}, which it must not know.
 */
@NullMarked
package dev.loomboard.changepoint;

import org.jspecify.annotations.NullMarked;
