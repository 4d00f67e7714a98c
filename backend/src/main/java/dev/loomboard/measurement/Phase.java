package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** A stretch of a trial, in the order of a trial; warm-up, gc, settle and measure may recur. */
public enum Phase {
    @JsonProperty("provision")
    PROVISION,
    @JsonProperty("start")
    START,
    @JsonProperty("verify")
    VERIFY,
    @JsonProperty("warmup")
    WARMUP,
    @JsonProperty("gc")
    GC,
    @JsonProperty("settle")
    SETTLE,
    @JsonProperty("rewarm")
    REWARM,
    @JsonProperty("measure")
    MEASURE,
    @JsonProperty("stop")
    STOP,
    @JsonProperty("collect")
    COLLECT;

    /** True for the phases in which there is load. */
    public boolean hasLoad() {
        return this == WARMUP || this == REWARM || this == MEASURE;
    }

    /** As the wire and the tables write it. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
