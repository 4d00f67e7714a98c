package dev.loomboard.schedule;

import dev.loomboard.cell.RunState;
import dev.loomboard.view.Format;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of a schedule's past.
 *
 * @param byHand true: somebody asked for this run, no firing made it
 * @param run external id; null: the firing was skipped, for the reason given
 * @param startedAt of the run; null: it was never leased
 * @param finishedAt of the run; null: it goes on
 */
public record PastFiring(
        Instant at,
        boolean byHand,
        @Nullable String run,
        @Nullable RunState runState,
        @Nullable String reason,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {

    /** True: nobody made it, because no service ran. */
    public boolean missed() {
        return FiringRules.MISSED.equals(reason);
    }

    /** What came of it, in a word or two. */
    public String word() {
        if (runState != null) {
            return runState.wire();
        }
        return missed() ? "missed" : reason == null ? "not public" : "skipped";
    }

    /** How long its run took; null: it has none that is over. */
    public @Nullable String took() {
        return startedAt == null || finishedAt == null
                ? null
                : Format.duration(Duration.between(startedAt, finishedAt));
    }
}
