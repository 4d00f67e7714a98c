/**
 * Runner machines: whether they are there, what they have measured, what their owners change of them.
 *
 * <p>{@link MachineStore} reads them as {@link MachineView}s, {@link MachinePages} shows them, with what is odd of their results
 * ({@link OddityStore}), what changed of their host ({@link HostChange}) and how quiet they are ({@link NoiseChart}).
 * {@link UpkeepService} drains, renames, labels, admits and revokes them. {@link QueueStore} says what waits.
 *
 * <p>What a machine has is in {@code inventory}, how it comes to be in {@code registration}, who sees it in {@code visibility}.
 */
@NullMarked
package dev.loomboard.machine;

import org.jspecify.annotations.NullMarked;
