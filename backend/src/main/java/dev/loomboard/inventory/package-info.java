/**
 * What a machine has, as its agent reports it: JDKs, servers, the host, its limits, how well it repeats itself.
 *
 * <p>{@link Inventory} is the report, {@link InventoryStore} keeps it and a log of hosts that differ; {@link Qualification} judges
 * the attempts of a machine that measured one thing again and again; {@link ServerOffer} holds names of servers, never commands or
 * paths. {@link Capabilities} is what a matrix may require.
 */
@NullMarked
package dev.loomboard.inventory;

import org.jspecify.annotations.NullMarked;
