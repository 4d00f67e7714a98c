package dev.loomboard.changepoint;

import dev.loomboard.kernel.WireName;

/** What confirmed a change point. */
public enum ConfirmedBy implements WireName {
    /** A run in which both builds took turns. */
    RERUN,
    /** The one test of enough nights of each level against a control that ran in them. */
    HISTORY
}
