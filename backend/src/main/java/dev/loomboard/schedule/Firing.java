package dev.loomboard.schedule;

import dev.loomboard.jdk.JdkBuild;
import org.jspecify.annotations.Nullable;

/** What came of a firing. */
public sealed interface Firing {

    /**
     * @param run external id of the run it made
     * @param stopped which runs it stopped, in a sentence; null: none
     * @param backfill the missed build that the run measures; null: it measures what it always does
     */
    record Queued(
            String run, @Nullable String stopped, @Nullable JdkBuild backfill) implements Firing {}

    /** @param reason for people */
    record Skipped(SkipKind kind, String reason) implements Firing {}

    /** Another replica was first, the firing is not of this schedule any more, or there is no such schedule. */
    record NotDue() implements Firing {}
}
