package dev.loomboard.leaderboard;

import dev.loomboard.cell.Limits;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of the leaderboard as a roll-up writes it; keys are internal.
 *
 * @param trials scored trials in it
 * @param metrics by name; a metric that is absent was not measured
 * @param framework what the server is built on; null: unknown
 * @param headline the metric that its scenario ranks by; null: it declares none
 * @param serverDigest of the server's artefact; unknown: no trial knows it
 * @param standing ranked, provisional, few or unranked; @param reasons why not ranked
 * @param cutShort a trial was given up from outside: it takes no ranked or provisional entry's place
 */
public record EntryRow(
        long workspaceId,
        String visibility,
        String scenarioKey,
        String workload,
        String classHash,
        String classLabel,
        long machineId,
        String server,
        String variant,
        String serverDigest,
        @Nullable String framework,
        String concurrencyModel,
        String collector,
        List<String> jvmOptions,
        Limits limits,
        String protocol,
        long jdkBuildId,
        long runId,
        long cellId,
        int trials,
        Map<String, Figure> metrics,
        @Nullable String headline,
        String standing,
        List<String> reasons,
        boolean cutShort,
        Instant measuredAt) {

    public EntryRow {
        jvmOptions = List.copyOf(jvmOptions);
        metrics = Map.copyOf(metrics);
        reasons = List.copyOf(reasons);
    }

    /**
     * @param low null with {@code high}: no interval
     * @param series external id of the history
     * @param trials how many it is the mean of
     */
    public record Figure(
            double mean,
            @Nullable Double low,
            @Nullable Double high,
            boolean eligible,
            @Nullable String reason,
            String series,
            int trials) {}
}
