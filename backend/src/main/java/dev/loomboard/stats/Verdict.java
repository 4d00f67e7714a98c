package dev.loomboard.stats;

/** Of a candidate against its baseline; faster is better, of memory as of time. */
public enum Verdict {
    FASTER,
    SLOWER,
    /** Any difference is smaller than matters. */
    EQUIVALENT,
    INCONCLUSIVE
}
