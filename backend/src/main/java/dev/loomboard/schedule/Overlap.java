package dev.loomboard.schedule;

import dev.loomboard.kernel.WireName;

/** What a firing does while an earlier run of its schedule is open. */
public enum Overlap implements WireName {
    SKIP("is skipped"),
    QUEUE("waits behind a run that runs, and is skipped while one is queued"),
    STOP("stops that run");

    private final String words;

    Overlap(String words) {
        this.words = words;
    }

    /** After "a firing". */
    public String words() {
        return words;
    }
}
