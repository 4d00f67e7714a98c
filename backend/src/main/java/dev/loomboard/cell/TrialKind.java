package dev.loomboard.cell;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Scored trials carry no agent and no recorder; diagnostic ones carry them all, and their latency is never compared. */
public enum TrialKind {
    @JsonProperty("scored")
    SCORED("scored"),
    @JsonProperty("diagnostic")
    DIAGNOSTIC("diagnostic");

    private final String wire;

    TrialKind(String wire) {
        this.wire = wire;
    }

    /** As the wire and the tables write it. */
    public String wire() {
        return wire;
    }

    public static TrialKind of(String text) {
        return switch (text) {
            case "scored" -> SCORED;
            case "diagnostic" -> DIAGNOSTIC;
            default -> throw new IllegalArgumentException("kind must be scored or diagnostic, is: " + text);
        };
    }
}
