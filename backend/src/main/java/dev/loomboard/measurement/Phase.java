package dev.loomboard.measurement;

import dev.loomboard.kernel.WireName;

/** A stretch of a trial, in the order of a trial; warm-up, gc, settle and measure may recur. */
public enum Phase implements WireName {
    PROVISION,
    START,
    VERIFY,
    WARMUP,
    GC,
    SETTLE,
    REWARM,
    MEASURE,
    STOP,
    COLLECT;

    /** As pages name it. */
    public String words() {
        return switch (this) {
            case WARMUP -> "warm-up";
            case GC -> "forced GC";
            case REWARM -> "second warm-up";
            case PROVISION, START, VERIFY, SETTLE, MEASURE, STOP, COLLECT -> wire();
        };
    }

    /** True for the phases in which there is load. */
    public boolean hasLoad() {
        return this == WARMUP || this == REWARM || this == MEASURE;
    }
}
