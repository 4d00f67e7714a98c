package dev.loomboard.inventory;

import dev.loomboard.kernel.WireName;

/** What the cells of a qualification mostly use: a host that repeats one does not therefore repeat the others. */
public enum ResourceClass implements WireName {
    /** Arithmetic, without allocation. */
    CPU,
    /** Arrays that are allocated, filled and read. */
    MEMORY,
    /** Small requests, which the kernel, sockets and threads mostly handle. */
    NETWORK
}
