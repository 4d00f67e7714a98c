package dev.loomboard.workspace;

/** What came of making or deleting a workspace. */
enum WorkspaceResult {
    DONE,
    /** Another has, or had, the name in addresses. */
    TAKEN,
    /** The person made as many as one may. */
    TOO_MANY,
    /** A run is not over. */
    BUSY
}
