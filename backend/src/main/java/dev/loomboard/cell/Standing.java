package dev.loomboard.cell;

import dev.loomboard.kernel.WireName;

/** Whether a result ranks: best first. */
public enum Standing implements WireName {
    RANKED,
    /** Shown with its numbers; something keeps it from a rank. */
    PROVISIONAL,
    /** Too few trials to be placed on a leaderboard. */
    FEW,
    /** Its machine was not admitted to the ranks that everybody sees. */
    UNVERIFIED,
    /** Something is wrong with its trials. */
    UNRANKED,
    /** Its server or workload, in the version it was measured with, its machine or its run was found wrong. */
    RETRACTED
}
