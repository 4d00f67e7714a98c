package dev.loomboard.schedule;

import dev.loomboard.cell.RunState;
import dev.loomboard.cron.FireTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** When a firing makes no run although it is due, and which runs it stops. */
final class FiringRules {

    static final String MISSED =
            "The service was not running then. After a downtime only the latest missed firing starts.";

    private FiringRules() {}

    /**
     * A run of the schedule that is not over.
     *
     * @param since when it started; of one that is queued, when it was queued
     */
    record OpenRun(String run, RunState state, Instant since) {}

    /**
     * Why nothing may be queued now; empty: it may.
     *
     * @param open oldest first
     * @param due false: somebody asks for a run, which waits behind one that runs, whatever the schedule does
     */
    static Optional<Firing.Skipped> obstacle(Schedule schedule, List<OpenRun> open, boolean due) {
        Instant revoked = schedule.machine().revokedAt();
        if (revoked != null) {
            return Optional.of(new Firing.Skipped(
                    SkipKind.REFUSED, "Its machine was revoked on " + local(schedule, revoked) + "."));
        }
        Overlap overlap = due ? schedule.rules().overlap() : Overlap.QUEUE;
        return open.stream()
                .filter(run -> switch (overlap) {
                    case SKIP -> true;
                    case QUEUE -> run.state() == RunState.QUEUED;
                    case STOP -> false;
                })
                .findFirst()
                .map(run -> new Firing.Skipped(
                        SkipKind.OVERLAP, "An earlier run of this schedule, " + still(schedule, run) + "."));
    }

    private static String still(Schedule schedule, OpenRun earlier) {
        String at = local(schedule, earlier.since());
        return earlier.run()
                + switch (earlier.state()) {
                    case QUEUED -> ", is still queued since " + at;
                    case LEASED, RUNNING -> ", is still running since " + at;
                    case DISCONNECTED -> ", still waits for its machine to call again; it started on " + at;
                    case DONE, FAILED, CANCELLED -> throw new IllegalStateException(earlier.run() + " is over");
                };
    }

    /** That a firing stopped these, in a sentence; null: none. */
    static @Nullable String stopped(List<OpenRun> open) {
        return open.isEmpty()
                ? null
                : "Stopped " + open.stream().map(OpenRun::run).collect(Collectors.joining(", ")) + ", which "
                        + (open.size() == 1 ? "was" : "were") + " still open.";
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

    static String local(Schedule schedule, Instant at) {
        return FireTime.of(at, schedule.times().zoneId()).local();
    }
}
