package dev.loomboard.kernel;

/** What a person may do in a workspace. */
public enum Role {
    /** May register machines, schedule and run. */
    OWNER,
    /** May see private things. */
    MEMBER
}
