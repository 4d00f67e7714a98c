package dev.loomboard.changepoint;

import dev.loomboard.cell.WireName;

/** What confirmed a change point. */
public enum ConfirmedBy implements WireName {
    /** A run in which both builds took turns. */
    RERUN,
    /** The one test of enough points on each side. */
    HISTORY
}
