package dev.loomboard.cell;

import dev.loomboard.kernel.WireName;

/** How a variant of a server runs its requests. */
public enum ConcurrencyModel implements WireName {
    PLATFORM_THREADS,
    VIRTUAL_THREADS,
    EVENT_LOOP,
    OTHER
}
