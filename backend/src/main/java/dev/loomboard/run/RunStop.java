package dev.loomboard.run;

import dev.loomboard.kernel.WireName;

/**
 * Why the service stops a run that it queued itself.
 *
 * @param reason the beginning of a sentence: "Stopped after 8 h, as its schedule says"
 */
public record RunStop(Kind kind, String reason) {

    public enum Kind implements WireName {
        /** The next run was due. */
        OVERLAP,
        /** It ran as long as it may. */
        DURATION
    }
}
