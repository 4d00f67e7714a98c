package dev.loomboard.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What an agent last said of a run; stored in run.progress. All null before it said anything. */
record Progress(
        @Nullable String trialId,
        @Nullable String phase,
        @Nullable Integer done,
        @Nullable Integer total,
        @Nullable Instant expectedEnd,
        @Nullable Integer spooled) {}
