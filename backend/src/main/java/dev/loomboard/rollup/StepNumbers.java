package dev.loomboard.rollup;

import dev.loomboard.measurement.StepPercentiles;
import dev.loomboard.stats.Eligibility;
import dev.loomboard.stats.Latencies;
import dev.loomboard.stats.Quantile;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The percentiles of a step, from its own histograms and those of its seconds.
 *
 * @param response empty: a closed load
 */
public record StepNumbers(EndedTrial.Step step, Latencies response, Latencies service, StepPercentiles percentiles) {

    /** @param seconds of the step */
    public static StepNumbers of(EndedTrial.Step step, Collection<EndedTrial.Hits> seconds) {
        Latencies response = step.hits().responses();
        Latencies service = step.hits().services();
        Map<Quantile, Long> responses = quantiles(response);
        Map<Quantile, Long> services = quantiles(service);
        Map<Quantile, Integer> responseEpisodes = new EnumMap<>(Quantile.class);
        Map<Quantile, Integer> serviceEpisodes = new EnumMap<>(Quantile.class);
        // One second at a time: a decoded histogram takes a quarter of a megabyte, and a ramp has hundreds of seconds.
        for (EndedTrial.Hits second : seconds) {
            count(responses, second.responses(), responseEpisodes);
            count(services, second.services(), serviceEpisodes);
        }
        return new StepNumbers(
                step,
                response,
                service,
                new StepPercentiles(
                        values(response, responses, responseEpisodes), values(service, services, serviceEpisodes)));
    }

    private static Map<Quantile, Long> quantiles(Latencies all) {
        Map<Quantile, Long> nanos = new EnumMap<>(Quantile.class);
        for (Quantile quantile : Quantile.values()) {
            all.at(quantile).ifPresent(value -> nanos.put(quantile, value));
        }
        return nanos;
    }

    /** An episode is a second with hits on both sides of a percentile. */
    private static void count(Map<Quantile, Long> quantiles, Latencies second, Map<Quantile, Integer> episodes) {
        quantiles.forEach((quantile, nanos) -> {
            if (second.straddles(nanos)) {
                episodes.merge(quantile, 1, Integer::sum);
            }
        });
    }

    private static Map<String, StepPercentiles.Value> values(
            Latencies all, Map<Quantile, Long> quantiles, Map<Quantile, Integer> episodes) {
        Map<String, StepPercentiles.Value> values = new LinkedHashMap<>();
        quantiles.forEach((quantile, nanos) -> {
            Eligibility judged = Eligibility.of(quantile, all.count(), episodes.getOrDefault(quantile, 0));
            values.put(quantile.label(), new StepPercentiles.Value(nanos, judged.eligible(), judged.reason()));
        });
        return values;
    }
}
