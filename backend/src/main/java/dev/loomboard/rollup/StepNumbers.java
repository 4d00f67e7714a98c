package dev.loomboard.rollup;

import dev.loomboard.stats.latency.Eligibility;
import dev.loomboard.stats.latency.Latencies;
import dev.loomboard.stats.latency.Quantile;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The percentiles of a step, from its own histograms and those of its seconds.
 *
 * @param response empty: a closed load
 * @param judged whether hits enough lie beyond each percentile
 */
public record StepNumbers(
        EndedTrial.Step step, Latencies response, Latencies service, Judged judged, StepPercentiles percentiles) {

    /** Of response times and of service times, by percentile. */
    record Judged(Map<Quantile, Eligibility> response, Map<Quantile, Eligibility> service) {

        /** Of a part of the step's hits. */
        Judged ofPart(Latencies responses, Latencies services) {
            return new Judged(ofPart(responses, response), ofPart(services, service));
        }

        private static Map<Quantile, Eligibility> ofPart(Latencies part, Map<Quantile, Eligibility> whole) {
            Map<Quantile, Eligibility> judged = new EnumMap<>(Quantile.class);
            StepPercentiles.quantiles(part)
                    .keySet()
                    .forEach(quantile -> judged.put(
                            quantile,
                            Eligibility.ofPart(quantile, part.count(), Objects.requireNonNull(whole.get(quantile)))));
            return judged;
        }
    }

    /**
     * @param seconds of the step, in order
     * @param declaredDelayNanos what the workload itself waits
     */
    public static StepNumbers of(EndedTrial.Step step, Collection<EndedTrial.Hits> seconds, long declaredDelayNanos) {
        Latencies response = step.responses();
        Latencies service = step.services();
        Map<Quantile, Long> responses = StepPercentiles.quantiles(response);
        Map<Quantile, Long> services = StepPercentiles.quantiles(service);
        Map<Quantile, long[]> responsesBeyond = beyond(responses, seconds.size());
        Map<Quantile, long[]> servicesBeyond = beyond(services, seconds.size());
        int place = 0;
        // One second at a time: a decoded histogram takes a quarter of a megabyte, and a ramp has hundreds of seconds.
        for (EndedTrial.Hits second : seconds) {
            count(responses, second.responses(step.deadlineNanos()), responsesBeyond, place);
            count(services, second.services(step.deadlineNanos()), servicesBeyond, place);
            place++;
        }
        Judged judged = new Judged(judged(response, responsesBeyond), judged(service, servicesBeyond));
        return new StepNumbers(
                step,
                response,
                service,
                judged,
                StepPercentiles.of(step.hits(), response, service, judged, step.deadline(), declaredDelayNanos));
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

    private static Map<Quantile, Eligibility> judged(Latencies all, Map<Quantile, long[]> beyond) {
        Map<Quantile, Eligibility> judged = new EnumMap<>(Quantile.class);
        beyond.forEach((quantile, perSecond) -> judged.put(quantile, Eligibility.of(quantile, all.count(), perSecond)));
        return judged;
    }
}
