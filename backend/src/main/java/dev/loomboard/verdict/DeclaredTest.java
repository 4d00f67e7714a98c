package dev.loomboard.verdict;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.expansion.Cell;
import dev.loomboard.rollup.TrialNumbers;
import dev.loomboard.scenario.Load;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.latency.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One test of a run, as it is declared before anything is measured ({@code /methodology#builds}).
 *
 * @param axis in what the two cells differ; a run's tests of one axis are one family, those of failed hits another
 * @param baseline ordinal of its cell
 * @param candidate ordinal of its cell
 * @param metric name in the catalogue
 */
public record DeclaredTest(TestDimension axis, int baseline, int candidate, String metric) {

    public static final String EXCESS_P50 = "response_excess_p50_ms";
    public static final String EXCESS_P99 = "response_excess_p99_ms";
    public static final String THROUGHPUT = "throughput_per_s";
    static final String MAX_RATE = "max_rate_per_s";
    public static final String CPU = "cpu_us_per_request";
    public static final String MEMORY = "rss_mib";
    /** A family of its own: whether a server fails is another question than how fast it is. */
    public static final String FAILED = TrialNumbers.FAILED;

    /**
     * What comparisons show: whatever is judged of any load ({@link #metrics} says of which). The excesses, not the times: a declared delay would hide everything. Throughput of
     * closed loads only: at a rate that was offered, what is completed equals it or the server failed.
     */
    public static final List<String> COMPARED =
            List.of(EXCESS_P50, EXCESS_P99, THROUGHPUT, MAX_RATE, CPU, MEMORY, FAILED);

    /**
     * Tests that are corrected together.
     *
     * @param failures those of the share of failed hits, or else all others of the axis
     */
    public record Family(TestDimension axis, boolean failures) {
        public static Family of(TestDimension axis, String metric) {
            return new Family(axis, metric.equals(FAILED));
        }
    }

    /** All tests of a run: each two cells that are paired on an axis × what is declared of their load. */
    public static List<DeclaredTest> of(List<Cell> cells) {
        List<DeclaredTest> tests = new ArrayList<>();
        for (TestDimension axis : TestDimension.values()) {
            for (TestDimension.Two two : axis.pairsOf(cells)) {
                List<String> metrics = metrics(two.baseline().scenario().load());
                Stream.concat(metrics.stream(), metrics.isEmpty() ? Stream.of() : Stream.of(FAILED))
                        .map(metric -> new DeclaredTest(
                                axis, two.baseline().ordinal(), two.candidate().ordinal(), metric))
                        .forEach(tests::add);
            }
        }
        return List.copyOf(tests);
    }

    /**
     * What is judged of a load, besides whether it fails. A rate that was offered is completed or the server failed, so it is never judged; the
     * numbers of a ramp are those of the last step it withstood, which differs from trial to trial, so nothing of it is.
     */
    public static List<String> metrics(Load load) {
        return switch (load) {
            case Load.Constant constant -> List.of(EXCESS_P50, EXCESS_P99, CPU, MEMORY);
            case Load.Poisson poisson -> List.of(EXCESS_P50, EXCESS_P99, CPU, MEMORY);
            case Load.Closed closed -> List.of(THROUGHPUT, CPU, MEMORY);
            case Load.Search search -> List.of(MAX_RATE, CPU, MEMORY);
            case Load.Steps steps -> List.of();
            case Load.Ramp ramp -> List.of();
            case Load.Batch batch -> List.of();
        };
    }

    /** How much of a difference matters. Excesses are small where the server adds little: a share of them is then less than anybody notices. */
    public static Margin margin(String name) {
        Metric metric = Metrics.all().get(name);
        double delta = Objects.requireNonNull(metric.delta(), name);
        double floor = switch (name) {
            case EXCESS_P50, EXCESS_P99 -> Margin.LATENCY_FLOOR_MS;
            case FAILED -> Failures.MOST;
            default -> 0;
        };
        return new Margin(metric.scale(), delta, floor);
    }
}
