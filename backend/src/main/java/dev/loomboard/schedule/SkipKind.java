package dev.loomboard.schedule;

import dev.loomboard.kernel.WireName;

/** Why a firing made no run. */
public enum SkipKind implements WireName {
    /** No service ran. */
    MISSED,
    /** An earlier run was open. */
    OVERLAP,
    /** Each build was measured before. */
    NOTHING_NEW,
    /** No run can be made: nothing matches, the machine is retired, or the queue is full. */
    REFUSED
}
