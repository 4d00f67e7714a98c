package dev.loomboard.hiding;

/** What came of hiding something or showing it again. */
enum HidingResult {
    DONE,
    /** There is nothing that is public and goes by that id, or no such hiding. */
    UNKNOWN,
    /** It is hidden, or shown again, already. */
    TWICE
}
