package dev.loomboard.lookup;

import dev.loomboard.kernel.WireName;

/**
 * Something that a search found.
 *
 * @param words what it is called
 * @param more what tells it from others of the name; may be empty
 * @param href of its page
 */
public record Found(Kind kind, String words, String more, String href) {

    /** What can be found, in the order in which it is shown. */
    public enum Kind implements WireName {
        SERVER("Servers"),
        JDK("JDK builds"),
        MACHINE("Machines"),
        MATRIX("Matrices"),
        RUN("Runs");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        public String title() {
            return title;
        }
    }
}
