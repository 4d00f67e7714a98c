package dev.loomboard.bundle;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.run.Progress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a run went.
 *
 * @param state done, failed or cancelled
 * @param attempts how often it was leased
 * @param fencing of its last lease
 * @param control slug of the build that stays from night to night; null: it had none
 * @param followUp made because changes were suspected: no detector counts it
 * @param look of a rerun, which one; null: its blocks are judged once
 * @param progress what its agent reported last
 */
public record BundleCourse(
        RunState state,
        @Nullable String failure,
        int attempts,
        long fencing,
        Times times,
        Plan plan,
        @Nullable String control,
        boolean followUp,
        @Nullable Integer look,
        Progress progress) {

    private static final long SEEDS = 1L << 53;

    /** In UTC, as PostgreSQL reads them, too. */
    public record Times(String createdAt, @Nullable String startedAt, String finishedAt) {
        public Times {
            Instant created = FieldChecks.instant("createdAt", createdAt);
            Instant started = startedAt == null ? created : FieldChecks.instant("startedAt", startedAt);
            if (started.isBefore(created)) {
                throw new FieldChecks.Refused("startedAt", "must not be before createdAt");
            }
            Instant finished = FieldChecks.instant("finishedAt", finishedAt);
            if (finished.isBefore(started)) {
                throw new FieldChecks.Refused("finishedAt", "must not be before startedAt and createdAt");
            }
            createdAt = created.toString();
            startedAt = startedAt == null ? null : started.toString();
            finishedAt = finished.toString();
        }

        public Instant finished() {
            return Instant.parse(finishedAt);
        }
    }

    /**
     * @param orderSeed what the order of its trials was drawn from; null: they went there and back
     * @param trials as many as were planned; null, as the seconds: it was queued before that was stored
     * @param seconds what they take at most, roughly
     * @param reckonedSeconds what they were reckoned to take when it was queued, by the machine's last ones
     * @param pilot null: no spread decided how many trials there are
     */
    public record Plan(
            @Nullable Long orderSeed,
            @Nullable Integer trials,
            @Nullable Double seconds,
            @Nullable Double reckonedSeconds,
            @Nullable Pilot pilot) {
        public Plan {
            if (orderSeed != null) {
                FieldChecks.between("orderSeed", orderSeed, 0, SEEDS - 1);
            }
            if (trials != null) {
                FieldChecks.between("trials", trials, 1, Integer.MAX_VALUE);
            }
            FieldChecks.positive("seconds", seconds);
            FieldChecks.positive("reckonedSeconds", reckonedSeconds);
        }
    }

    /**
     * @param first blocks that were looked at
     * @param budget further trials that there might have been
     * @param trials those given
     */
    public record Pilot(int first, int budget, int trials) {
        public Pilot {
            FieldChecks.notNegative("first", first);
            FieldChecks.notNegative("budget", budget);
            FieldChecks.notNegative("trials", trials);
        }
    }

    public BundleCourse {
        if (!FieldChecks.present("state", state).isOver()) {
            throw new FieldChecks.Refused("state", "must be done, failed or cancelled, is: " + state.wire());
        }
        FieldChecks.atMostOrNull("failure", failure, 4000);
        FieldChecks.between("attempts", attempts, 0, 1000);
        FieldChecks.notNegative("fencing", fencing);
        FieldChecks.present("times", times);
        FieldChecks.present("plan", plan);
        if (look != null) {
            FieldChecks.between("look", look, 1, 1);
        }
        FieldChecks.present("progress", progress);
    }
}
