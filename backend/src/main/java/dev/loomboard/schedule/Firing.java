package dev.loomboard.schedule;

/** What came of a firing. */
public sealed interface Firing {

    /** @param run external id of the run it made */
    record Queued(String run) implements Firing {}

    /** @param reason for people */
    record Skipped(String reason) implements Firing {}

    /** Another replica was first, the firing is not of this schedule any more, or there is no such schedule. */
    record NotDue() implements Firing {}
}
