/**
 * Runs: the queue of each machine, the lease its agent holds, and what is to be done for every trial.
 *
 * <p>{@link dev.loomboard.cell.RunState} has the state diagram. {@link Lease} decides every change as a pure function;
 * {@link LeaseService} reads it under a lock, asks, and writes through {@link RunStore}. {@link QueueApi} is the agents' side.
 * {@link RunService} queues and cancels; pages and the scripts' side are in {@code runpages}. The trials of a lease are in {@code plan};
 * {@link FurtherTrialsService} asks for more. {@link RunEventService} reports changes to live pages.
 *
 * <p>It must not know schedules, regressions or bisections, which queue runs.
 */
@NullMarked
package dev.loomboard.run;

import org.jspecify.annotations.NullMarked;
