/**
 * The JDK's own HTTP server with the workloads of WORKLOADS.md.
 *
 * <p>{@link JdkHttpServer} starts it, {@link WorkloadHandler} answers a request by one of {@link Workloads}, which use
 * {@link Work} and {@link Matrix}; {@link Fortunes}, {@link SqlSleep} and {@link TodoHandler} ask the database,
 * {@link Threads} starts threads. A {@link Variant} decides on which threads all of this runs.
 *
 * <p>It shares no code with another server and knows nothing of Loomboard but the workloads.
 */
package dev.loomboard.server.jdkhttp;
