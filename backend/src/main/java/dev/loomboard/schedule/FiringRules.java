package dev.loomboard.schedule;

import dev.loomboard.cron.FireTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When a firing makes no run although it is due. */
final class FiringRules {

    static final String MISSED =
            "The service was not running then. After a downtime only the latest missed firing starts.";

    private FiringRules() {}

    /** A run that waits for its machine. */
    record Waiting(String run, Instant createdAt) {}

    /** Why nothing may be queued now; empty: it may. */
    static Optional<String> obstacle(Schedule schedule, @Nullable Waiting earlier) {
        Instant revoked = schedule.machine().revokedAt();
        if (revoked != null) {
            return Optional.of("Its machine was revoked on "
                    + FireTime.of(revoked, schedule.times().zoneId()).local() + ".");
        }
        if (earlier != null) {
            return Optional.of("An earlier run of this schedule, " + earlier.run() + ", is still queued since "
                    + FireTime.of(earlier.createdAt(), schedule.times().zoneId())
                            .local() + ".");
        }
        return Optional.empty();
    }

    /** True for a firing that counts: the schedule was active, with these times, before it. */
    static boolean counts(Schedule schedule, Instant fireAt) {
        return schedule.active() && fireAt.isAfter(schedule.times().since());
    }

    /** Those of {@code times} that were neither fired nor before the schedule had these times. */
    static List<Instant> missed(List<Instant> times, Schedule schedule, @Nullable Instant lastFired) {
        return times.stream()
                .filter(at -> counts(schedule, at) && (lastFired == null || at.isAfter(lastFired)))
                .toList();
    }
}
