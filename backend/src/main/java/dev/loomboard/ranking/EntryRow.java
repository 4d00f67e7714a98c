package dev.loomboard.ranking;

import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.Standing;
import dev.loomboard.cell.Visibility;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of the leaderboard as a roll-up writes it.
 *
 * @param serverDigest of the server's artefact; unknown: no trial knows it
 */
public record EntryRow(
        Keys keys,
        Visibility visibility,
        String scenarioKey,
        String workload,
        String classHash,
        String classLabel,
        ServerVariant server,
        String serverDigest,
        CellSettings settings,
        Result result,
        Instant measuredAt) {

    /** Internal ones. */
    public record Keys(long workspace, long machine, long jdkBuild, long run, long cell) {}

    /**
     * What came of the cell.
     *
     * @param trials scored trials in it
     * @param metrics by name; a metric that is absent was not measured
     * @param headline the metric that its scenario ranks by; null: it declares none
     * @param reasons why not ranked
     * @param cutShort a trial was given up from outside: it takes no ranked or provisional entry's place
     */
    public record Result(
            int trials,
            Map<String, Figure> metrics,
            @Nullable String headline,
            Standing standing,
            List<String> reasons,
            boolean cutShort) {
        public Result {
            metrics = Map.copyOf(metrics);
            reasons = List.copyOf(reasons);
        }
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
