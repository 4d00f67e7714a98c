package dev.loomboard.schedule;

import dev.loomboard.cell.RunState;
import dev.loomboard.run.Stopped;
import dev.loomboard.view.Format;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of a schedule's past.
 *
 * @param byHand true: somebody asked for this run, no firing made it
 * @param run external id; null: the firing was skipped, for the reason given
 * @param skip null: it was not skipped
 * @param reason why it was skipped, or which run it stopped, in a sentence; null: neither
 * @param backfill slug of the missed build that its run measures; null: none
 * @param stopped that its run was stopped by a rule of the schedule; null: it was not
 * @param startedAt of the run; null: it was never leased
 * @param finishedAt of the run; null: it goes on
 */
public record PastFiring(
        Instant at,
        boolean byHand,
        @Nullable String run,
        @Nullable RunState runState,
        @Nullable SkipKind skip,
        @Nullable String reason,
        @Nullable String backfill,
        @Nullable Stopped stopped,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {

    /** True: nobody made it, because no service ran. */
    public boolean missed() {
        return skip == SkipKind.MISSED;
    }

    /** What came of it, in a word or two. */
    public String word() {
        if (runState != null) {
            return stopped == null ? runState.wire() : "stopped";
        }
        return missed() ? "missed" : skip == null ? "not public" : "skipped";
    }

    /** How long its run took; null: it has none that is over. */
    public @Nullable String took() {
        return startedAt == null || finishedAt == null
                ? null
                : Format.duration(Duration.between(startedAt, finishedAt));
    }
}
