/**
 * Helidon SE with the workloads of WORKLOADS.md.
 *
 * <p>{@link HelidonServer} starts it, {@link WorkloadService} answers the workloads, with the work of {@link Work} and
 * {@link Matrix}; {@link FortunesService}, {@link SqlSleepService} and {@link TodoService} ask the database,
 * {@link Threads} starts threads. Helidon runs each request on a virtual thread, so there is one variant.
 *
 * <p>It shares no code with another server and knows nothing of Loomboard but the workloads.
 */
package dev.loomboard.server.helidon;
