/**
 * Spring WebFlux on Netty with the workloads of WORKLOADS.md.
 *
 * <p>{@link WorkloadController} answers them on the event loop, with the work of {@link Work} and {@link Matrix};
 * {@link FortunesController}, {@link SqlSleepController} and {@link TodoController} ask the database by R2DBC,
 * {@link ControlController} is what the agent needs around a measurement. The one variant is a file in {@code resources/variants}.
 *
 * <p>It shares no code with another server and knows nothing of Loomboard but the workloads.
 */
@NullMarked
package dev.loomboard.server.webflux;

import org.jspecify.annotations.NullMarked;
