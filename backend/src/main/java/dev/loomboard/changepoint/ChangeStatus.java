package dev.loomboard.changepoint;

import dev.loomboard.kernel.WireName;

/** How sure a change point is. */
public enum ChangeStatus implements WireName {
    /** The detector or the nightly screen reported it, and nothing has decided: what a rerun could not tell stays one. */
    SUSPECT,
    CONFIRMED,
    /** What was suspected is not there. */
    CLEARED
}
