package dev.loomboard.series;

import dev.loomboard.stats.Eligibility;
import dev.loomboard.stats.Latencies;
import dev.loomboard.stats.Quantile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The percentiles of a step, from its own histograms and those of its seconds. */
final class StepNumbers {

    final TrialFacts.Step step;
    final Latencies response;
    final Latencies service;
    private final int[] responseEpisodes = new int[Quantile.values().length];
    private final int[] serviceEpisodes = new int[Quantile.values().length];

    private StepNumbers(TrialFacts.Step step) {
        this.step = step;
        this.response = step.hits().responses();
        this.service = step.hits().services();
    }

    /** @param seconds of all steps of the trial */
    static StepNumbers of(TrialFacts.Step step, List<TrialFacts.Second> seconds) {
        StepNumbers numbers = new StepNumbers(step);
        // One second at a time: a decoded histogram takes a quarter of a megabyte, and a ramp has hundreds of seconds.
        seconds.stream().filter(second -> second.step() == step.ordinal()).forEach(numbers::countEpisodes);
        return numbers;
    }

    StepPercentiles percentiles() {
        return new StepPercentiles(values(response, responseEpisodes), values(service, serviceEpisodes));
    }

    private void countEpisodes(TrialFacts.Second second) {
        count(response, second.hits().responses(), responseEpisodes);
        count(service, second.hits().services(), serviceEpisodes);
    }

    private static void count(Latencies all, Latencies second, int[] episodes) {
        for (Quantile quantile : Quantile.values()) {
            if (all.at(quantile).filter(second::straddles).isPresent()) {
                episodes[quantile.ordinal()]++;
            }
        }
    }

    private static Map<String, StepPercentiles.Value> values(Latencies all, int[] episodes) {
        Map<String, StepPercentiles.Value> values = new LinkedHashMap<>();
        for (Quantile quantile : Quantile.values()) {
            Eligibility judged = Eligibility.of(quantile, all.count(), episodes[quantile.ordinal()]);
            all.at(quantile)
                    .ifPresent(nanos -> values.put(
                            quantile.label(), new StepPercentiles.Value(nanos, judged.eligible(), judged.reason())));
        }
        return values;
    }
}
