package dev.loomboard.cell;

import dev.loomboard.kernel.WireName;

/** Scored trials carry no agent and no recorder; diagnostic ones carry them all, and their latency is never compared. */
public enum TrialKind implements WireName {
    SCORED,
    DIAGNOSTIC;

    public static TrialKind of(String text) {
        return WireName.of(TrialKind.class, text);
    }
}
