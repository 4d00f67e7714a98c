/**
 * The whole system as people use it: the service as a process, the built agent, real JVMs under load, and a real
 * browser. Small data but for one run of {@code starter}.
 *
 * <p>{@link NewcomerTest} is the way of the README, {@link SampleWayTest} follows one number from the agent to the
 * page, {@link FaultsTest} kills and cuts off. {@link Installation}, {@link AgentProgram} and {@link Browsing} are what
 * they stand on; tests that measure are marked {@link Measuring} and run alone. Pictures of every step are left
 * in {@code target/end-to-end}.
 *
 * <p>They reach the service only as a person, a browser or an agent does.
 */
@NullMarked
package dev.loomboard.endtoend;

import org.jspecify.annotations.NullMarked;
