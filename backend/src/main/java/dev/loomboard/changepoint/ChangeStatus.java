package dev.loomboard.changepoint;

import dev.loomboard.cell.WireName;

/** How sure a change point is. */
public enum ChangeStatus implements WireName {
    /** The detector reported it; neither a rerun nor its history has decided. */
    SUSPECT,
    CONFIRMED,
    DROPPED
}
