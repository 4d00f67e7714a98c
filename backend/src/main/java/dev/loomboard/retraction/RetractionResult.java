package dev.loomboard.retraction;

/** What came of retracting, or of withdrawing that. */
enum RetractionResult {
    DONE,
    /** The caller sees no such machine or run, or no result of such a version; or there is no such retraction. */
    UNKNOWN,
    /** Only an administrator may, or an owner of the run. */
    FORBIDDEN,
    /** It is retracted, or withdrawn, already. */
    TWICE
}
