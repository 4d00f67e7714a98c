package dev.loomboard.run;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.measurement.Phase;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * The wire's Heartbeat: how far a run is.
 *
 * @param expectedEnd a time with its zone; null: not known
 */
record Heartbeat(
        long fencing,
        @Nullable String trialId,
        @Nullable Phase phase,
        int done,
        int total,
        @Nullable String expectedEnd,
        @Nullable Integer spooled) {

    private static final int MOST = 1_000_000;

    Heartbeat {
        if (trialId != null && !ExternalId.isOf("trl", trialId)) {
            throw new FieldChecks.Refused("trialId", "must be trl_ and 20 characters of a-z and 2-7");
        }
        FieldChecks.between("total", total, 0, MOST);
        FieldChecks.between("done", done, 0, total);
        instant(expectedEnd);
    }

    Progress progress() {
        return new Progress(trialId, phase, done, total, instant(expectedEnd), spooled);
    }

    /** Not left to the JSON reader, which would take a number for a time too. */
    private static @Nullable Instant instant(@Nullable String time) {
        try {
            return time == null ? null : OffsetDateTime.parse(time).toInstant();
        } catch (DateTimeParseException e) {
            throw new FieldChecks.Refused("expectedEnd", "must be a time such as 2026-11-21T02:55:00Z");
        }
    }
}
