/**
 * Change points of series.
 *
 * <p>When a cell is rolled up, {@link dev.loomboard.changepoint.ChangePointService} runs the detector over the comparable points of
 * each judged series ({@link dev.loomboard.changepoint.ComparablePoints}), reconciles what it finds with what is stored
 * ({@link dev.loomboard.changepoint.ChangeReconciliation}), and tests the history of each change once, when enough points
 * follow it. That confirms nothing: a rerun does, or a control in {@code regression}.
 */
@NullMarked
package dev.loomboard.changepoint;

import org.jspecify.annotations.NullMarked;
