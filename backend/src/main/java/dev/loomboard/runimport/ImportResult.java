package dev.loomboard.runimport;

/** What came of a bundle. */
sealed interface ImportResult {

    /** @param run external id of the run as it is here */
    record Imported(String run) implements ImportResult {}

    /**
     * The workspace has this run: nothing was changed.
     *
     * @param imported it came in a bundle, too; else it was measured here
     */
    record Present(String run, boolean imported) implements ImportResult {}

    /**
     * Nothing of it was stored.
     *
     * @param why a sentence without its full stop
     */
    record Refused(String why) implements ImportResult {}

    /** The workspace has no room for it; likewise. */
    record NoRoom(String why) implements ImportResult {}
}
