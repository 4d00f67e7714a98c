package dev.loomboard.compare;

import dev.loomboard.catalog.Limits;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two JDK builds, cell by cell: the newest result of each on the same machine with the same everything else.
 *
 * @param distribution their lineages differ: a difference is one of the distribution, not of the JDK
 * @param pairs in the order of scenario, server, variant, machine, metric; cells that only one build has are left out
 */
public record Comparison(Build baseline, Build candidate, boolean distribution, List<Pair> pairs) {

    /** @param availability ea or ga */
    public record Build(
            String slug, String vendor, String runtimeVersion, int feature, String availability, String lineageHash) {}

    /**
     * @param metric name in the catalogue
     * @param ratio candidate ÷ baseline, of their means on the metric's declared scale; null: there is none, see reason
     * @param low lower end of the 95 % interval of the ratio (Welch, ln scale); null: fewer than two trials on a side
     * @param eligible whether it may be judged; @param reason why not, or why there is no ratio or interval
     */
    public record Pair(
            String scenarioKey,
            String workload,
            String server,
            String variant,
            String concurrencyModel,
            String collector,
            List<String> jvmOptions,
            Limits limits,
            String protocol,
            String machine,
            String machineName,
            String metric,
            Side baseline,
            Side candidate,
            @Nullable Double ratio,
            @Nullable Double low,
            @Nullable Double high,
            boolean eligible,
            @Nullable String reason) {}

    /**
     * @param series external id of its history
     * @param values one per trial, in trial order
     */
    public record Side(
            String series,
            String run,
            String cell,
            Instant measuredAt,
            double mean,
            List<Double> values,
            String standing,
            @Nullable String reason) {}
}
