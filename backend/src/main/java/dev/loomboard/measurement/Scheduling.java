package dev.loomboard.measurement;

import dev.loomboard.kernel.WireName;

/** How the host scheduled the load process: before all ordinary threads, or as one of them. */
public enum Scheduling implements WireName {
    REALTIME,
    ORDINARY
}
