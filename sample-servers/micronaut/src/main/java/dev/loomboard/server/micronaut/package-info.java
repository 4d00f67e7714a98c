/**
 * Micronaut with the workloads of WORKLOADS.md.
 *
 * <p>{@link WorkloadController} answers them, blocking, with the work of {@link Work} and {@link Matrix};
 * {@link FortunesController}, {@link SqlSleepController} and {@link TodoController} ask the database,
 * {@link Threads} starts threads. {@link Variant} says which threads the
 * executor of blocking work has. {@link Main} starts it as its {@link Settings} say.
 *
 * <p>It shares no code with another server and knows nothing of Loomboard but the workloads.
 */
package dev.loomboard.server.micronaut;
