package dev.loomboard.retraction;

/** What came of retracting, or of withdrawing that. */
enum RetractionResult {
    DONE,
    /** No result that the caller may see was measured with such a version; or there is no such retraction. */
    UNKNOWN,
    /** It is retracted, or withdrawn, already. */
    TWICE
}
