/**
 * Runner machines: how they register, what they have, whether they are there.
 *
 * <p>{@link RegistrationService} turns a one-time token into a machine with a key; {@link RegisterApi} takes its
 * {@link Inventory}, which {@link InventoryStore} keeps; {@link Qualification} judges how well it repeats itself;
 * {@link MachinePages} shows it. {@link ServerOffer} holds names of servers, never commands or paths.
 *
 * <p>It must not know results. What changes with a machine's visibility is asked of {@link VisibilityService}, which
 * {@code recompute} implements.
 */
@NullMarked
package dev.loomboard.machine;

import org.jspecify.annotations.NullMarked;
