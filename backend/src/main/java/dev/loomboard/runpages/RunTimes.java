package dev.loomboard.runpages;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When a run was queued, first leased and over. */
public record RunTimes(
        Instant createdAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {

    public @Nullable Duration took() {
        return startedAt == null || finishedAt == null ? null : Duration.between(startedAt, finishedAt);
    }
}
