package dev.loomboard.rollup;

import dev.loomboard.measurement.StepPercentiles;
import dev.loomboard.stats.Eligibility;
import dev.loomboard.stats.Latencies;
import dev.loomboard.stats.Quantile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The percentiles of a step, from its own histograms and those of its seconds. */
public final class StepNumbers {

    public final EndedTrial.Step step;
    final Latencies response;
    final Latencies service;
    private final List<Mark> responseMarks;
    private final List<Mark> serviceMarks;

    /** A percentile of the step, in ns, with the seconds that had hits on both sides of it. */
    private static final class Mark {
        final Quantile quantile;
        final long nanos;
        int episodes;

        Mark(Quantile quantile, long nanos) {
            this.quantile = quantile;
            this.nanos = nanos;
        }
    }

    private StepNumbers(EndedTrial.Step step) {
        this.step = step;
        this.response = step.hits().responses();
        this.service = step.hits().services();
        this.responseMarks = marks(response);
        this.serviceMarks = marks(service);
    }

    /** @param seconds of all steps of the trial */
    public static StepNumbers of(EndedTrial.Step step, List<EndedTrial.Second> seconds) {
        StepNumbers numbers = new StepNumbers(step);
        // One second at a time: a decoded histogram takes a quarter of a megabyte, and a ramp has hundreds of seconds.
        seconds.stream().filter(second -> second.step() == step.ordinal()).forEach(numbers::countEpisodes);
        return numbers;
    }

    public StepPercentiles percentiles() {
        return new StepPercentiles(values(response, responseMarks), values(service, serviceMarks));
    }

    private static List<Mark> marks(Latencies all) {
        return Stream.of(Quantile.values())
                .flatMap(quantile -> all.at(quantile).map(nanos -> new Mark(quantile, nanos)).stream())
                .toList();
    }

    private void countEpisodes(EndedTrial.Second second) {
        count(responseMarks, second.hits().responses());
        count(serviceMarks, second.hits().services());
    }

    private static void count(List<Mark> marks, Latencies second) {
        for (Mark mark : marks) {
            if (second.straddles(mark.nanos)) {
                mark.episodes++;
            }
        }
    }

    private static Map<String, StepPercentiles.Value> values(Latencies all, List<Mark> marks) {
        Map<String, StepPercentiles.Value> values = new LinkedHashMap<>();
        for (Mark mark : marks) {
            Eligibility judged = Eligibility.of(mark.quantile, all.count(), mark.episodes);
            values.put(
                    mark.quantile.label(), new StepPercentiles.Value(mark.nanos, judged.eligible(), judged.reason()));
        }
        return values;
    }
}
