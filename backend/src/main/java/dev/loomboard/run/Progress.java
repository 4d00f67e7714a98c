package dev.loomboard.run;

import dev.loomboard.measurement.Phase;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an agent last reported of a run; stored in run.progress. All null before its first report.
 *
 * @param spooled batches not yet acknowledged
 */
public record Progress(
        @Nullable String trialId,
        @Nullable Phase phase,
        @Nullable Integer done,
        @Nullable Integer total,
        @Nullable Instant expectedEnd,
        @Nullable Integer spooled) {}
