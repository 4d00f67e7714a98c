/**
 * Spring MVC on Tomcat with the workloads of WORKLOADS.md.
 *
 * <p>{@link WorkloadController} answers them, blocking, with the work of {@link Work} and {@link Matrix};
 * {@link FortunesController}, {@link SqlSleepController} and {@link TodoController} ask the database, {@link Threads}
 * starts threads, {@link ControlController} is what the agent needs around a measurement. A variant is a file in {@code resources/variants}: only the kind of thread differs.
 *
 * <p>It shares no code with another server and knows nothing of Loomboard but the workloads.
 */
@NullMarked
package dev.loomboard.server.mvc;

import org.jspecify.annotations.NullMarked;
