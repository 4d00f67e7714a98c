package dev.loomboard.rollup;

import dev.loomboard.stats.latency.Eligibility;
import dev.loomboard.stats.latency.Failures;
import dev.loomboard.stats.latency.Latencies;
import dev.loomboard.stats.latency.Quantile;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The percentiles of a step, from its own histograms and those of its seconds.
 *
 * @param response empty: a closed load
 */
public record StepNumbers(EndedTrial.Step step, Latencies response, Latencies service, StepPercentiles percentiles) {

    /**
     * @param seconds of the step, in order
     * @param declaredDelayNanos what the workload itself waits
     */
    public static StepNumbers of(EndedTrial.Step step, Collection<EndedTrial.Hits> seconds, long declaredDelayNanos) {
        Latencies response = step.responses();
        Latencies service = step.services();
        Map<Quantile, Long> responses = quantiles(response);
        Map<Quantile, Long> services = quantiles(service);
        Map<Quantile, long[]> responsesBeyond = beyond(responses, seconds.size());
        Map<Quantile, long[]> servicesBeyond = beyond(services, seconds.size());
        int place = 0;
        // One second at a time: a decoded histogram takes a quarter of a megabyte, and a ramp has hundreds of seconds.
        for (EndedTrial.Hits second : seconds) {
            count(responses, second.responses(step.deadlineNanos()), responsesBeyond, place);
            count(services, second.services(step.deadlineNanos()), servicesBeyond, place);
            place++;
        }
        Map<String, StepPercentiles.Value> ofResponses = values(step, response, responses, responsesBeyond);
        return new StepNumbers(
                step,
                response,
                service,
                new StepPercentiles(
                        ofResponses,
                        values(step, service, services, servicesBeyond),
                        excess(step, ofResponses, response, declaredDelayNanos)));
    }

    private static Map<Quantile, Long> quantiles(Latencies all) {
        Map<Quantile, Long> nanos = new EnumMap<>(Quantile.class);
        for (Quantile quantile : Quantile.values()) {
            all.at(quantile).ifPresent(value -> nanos.put(quantile, value));
        }
        return nanos;
    }

    private static Map<Quantile, long[]> beyond(Map<Quantile, Long> quantiles, int seconds) {
        Map<Quantile, long[]> none = new EnumMap<>(Quantile.class);
        quantiles.keySet().forEach(quantile -> none.put(quantile, new long[seconds]));
        return none;
    }

    private static void count(
            Map<Quantile, Long> quantiles, Latencies second, Map<Quantile, long[]> beyond, int place) {
        beyond.forEach((quantile, perSecond) ->
                perSecond[place] = second.beyond(Objects.requireNonNull(quantiles.get(quantile))));
    }

    private static Map<String, StepPercentiles.Value> values(
            EndedTrial.Step step, Latencies all, Map<Quantile, Long> quantiles, Map<Quantile, long[]> beyond) {
        Map<String, StepPercentiles.Value> values = new LinkedHashMap<>();
        quantiles.forEach((quantile, nanos) -> {
            Eligibility judged = Eligibility.of(quantile, all.count(), Objects.requireNonNull(beyond.get(quantile)));
            String failed = unanswered(step, nanos);
            String reason = failed == null ? judged.reason() : failed;
            values.put(quantile.label(), new StepPercentiles.Value(nanos, reason == null, reason));
        });
        return values;
    }

    /** If so many hits failed that a percentile is their deadline, it says nothing about the other hits. */
    private static @Nullable String unanswered(EndedTrial.Step step, long nanos) {
        return nanos < step.deadlineNanos()
                ? null
                : Failures.words(step.failedShare()) + " of the hits failed: this is their deadline";
    }

    /** What may be judged of the response may be judged of its excess. */
    private static Map<String, StepPercentiles.Value> excess(
            EndedTrial.Step step, Map<String, StepPercentiles.Value> judged, Latencies responses, long delayNanos) {
        Map<String, StepPercentiles.Value> values = new LinkedHashMap<>();
        step.hits()
                .excesses(responses, step.deadlineNanos(), delayNanos)
                .ifPresent(all -> quantiles(all).forEach((quantile, nanos) -> {
                    StepPercentiles.Value response = judged.get(quantile.label());
                    String reason = response == null ? null : response.reason();
                    if (reason == null
                            && quantile.rank(all.count()) <= step.hits().belowDelay()) {
                        reason = "the response came before the declared delay had passed";
                    }
                    values.put(quantile.label(), new StepPercentiles.Value(nanos, reason == null, reason));
                }));
        return values;
    }
}
