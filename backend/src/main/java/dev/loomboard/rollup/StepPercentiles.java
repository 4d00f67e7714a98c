package dev.loomboard.rollup;

import dev.loomboard.stats.latency.Eligibility;
import dev.loomboard.stats.latency.Failures;
import dev.loomboard.stats.latency.Latencies;
import dev.loomboard.stats.latency.Quantile;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A step's percentiles of all hits, each failure at its deadline; stored as JSON of this shape.
 *
 * @param response by name (p50, p90, p95, p99, p999), from the intended send; a name that is absent had no hits, or the
 *     load is closed and has no such time
 * @param service the same, from the actual send
 * @param excess response − declared delay, from a histogram of its own; a step that was stored without one has none
 */
public record StepPercentiles(Map<String, Value> response, Map<String, Value> service, Map<String, Value> excess) {

    public static final StepPercentiles NONE = new StepPercentiles(Map.of(), Map.of(), Map.of());

    /** Of hits: when one counts as failed, in ns, and what share of them did. */
    record Deadline(long nanos, double failedShare) {}

    /**
     * @param hits of which the latencies are
     * @param judged whether hits enough lie beyond
     * @param declaredDelayNanos what the workload itself waits
     */
    static StepPercentiles of(
            EndedTrial.Hits hits,
            Latencies response,
            Latencies service,
            StepNumbers.Judged judged,
            Deadline deadline,
            long declaredDelayNanos) {
        Map<String, Value> responses = values(response, judged.response(), deadline);
        return new StepPercentiles(
                responses,
                values(service, judged.service(), deadline),
                excess(hits, responses, response, deadline, declaredDelayNanos));
    }

    static Map<Quantile, Long> quantiles(Latencies all) {
        Map<Quantile, Long> nanos = new EnumMap<>(Quantile.class);
        for (Quantile quantile : Quantile.values()) {
            all.at(quantile).ifPresent(value -> nanos.put(quantile, value));
        }
        return nanos;
    }

    private static Map<String, Value> values(Latencies all, Map<Quantile, Eligibility> judged, Deadline deadline) {
        Map<String, Value> values = new LinkedHashMap<>();
        quantiles(all).forEach((quantile, nanos) -> {
            String failed = unanswered(deadline, nanos);
            String reason = failed == null
                    ? Objects.requireNonNull(judged.get(quantile)).reason()
                    : failed;
            values.put(quantile.label(), new Value(nanos, reason == null, reason));
        });
        return values;
    }

    /** Where so many hits failed that a percentile is their deadline it says nothing of the others. */
    private static @Nullable String unanswered(Deadline deadline, long nanos) {
        return nanos < deadline.nanos()
                ? null
                : Failures.words(deadline.failedShare()) + " of the hits failed: this is their deadline";
    }

    /** What may be judged of the response may be judged of its excess. */
    private static Map<String, Value> excess(
            EndedTrial.Hits hits,
            Map<String, Value> judged,
            Latencies responses,
            Deadline deadline,
            long declaredDelayNanos) {
        Map<String, Value> values = new LinkedHashMap<>();
        hits.excesses(responses, deadline.nanos(), declaredDelayNanos)
                .ifPresent(all -> quantiles(all).forEach((quantile, nanos) -> {
                    Value response = judged.get(quantile.label());
                    String reason = response == null ? null : response.reason();
                    if (reason == null && quantile.rank(all.count()) <= hits.belowDelay()) {
                        reason = "the response came before the declared delay had passed";
                    }
                    values.put(quantile.label(), new Value(nanos, reason == null, reason));
                }));
        return values;
    }

    /**
     * @param nanos the value in ns
     * @param eligible whether enough independent hits lie beyond it to judge it
     * @param reason why not
     */
    public record Value(
            long nanos, boolean eligible, @Nullable String reason) {}
}
