package dev.loomboard.run;

import dev.loomboard.view.Format;

/**
 * That the service stopped a run, and how far it came.
 *
 * @param reason the beginning of a sentence
 * @param done trials that are done
 * @param planned trials that it was to make
 */
public record Stopped(RunStop.Kind kind, String reason, int done, int planned) {

    /** "Stopped after 8 h, as its schedule says: 12 of 40 trials are done." */
    public String words() {
        return reason + ": " + Format.count(done) + " of " + Format.of(planned, "trial") + (done == 1 ? " is" : " are")
                + " done.";
    }
}
