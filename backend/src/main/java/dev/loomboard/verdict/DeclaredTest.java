package dev.loomboard.verdict;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Load;
import dev.loomboard.matrix.Cell;
import dev.loomboard.stats.Margin;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One test of a run, as it is declared before anything is measured (STATISTICS §1, 7).
 *
 * @param axis in what the two cells differ; a run's tests of one axis are one family
 * @param baseline ordinal of its cell; @param candidate likewise
 * @param metric name in the catalogue
 */
public record DeclaredTest(TestDimension axis, int baseline, int candidate, String metric) {

    public static final String EXCESS_P50 = "response_excess_p50_ms";
    public static final String EXCESS_P99 = "response_excess_p99_ms";
    public static final String THROUGHPUT = "throughput_per_s";
    static final String MAX_RATE = "max_rate_per_s";
    public static final String CPU = "cpu_us_per_request";
    public static final String MEMORY = "rss_mib";

    /**
     * Whatever is judged of any load. The excesses, not the times: a declared delay would hide everything. Throughput of
     * closed loads only: at a rate that was offered, what is completed equals it or the server failed.
     */
    public static final List<String> ALL = List.of(EXCESS_P50, EXCESS_P99, THROUGHPUT, MAX_RATE, CPU, MEMORY);

    /** All tests of a run: each two cells that are paired on an axis × what is declared of their load. */
    public static List<DeclaredTest> of(List<Cell> cells) {
        List<DeclaredTest> tests = new ArrayList<>();
        for (TestDimension axis : TestDimension.values()) {
            for (TestDimension.Two two : axis.pairsOf(cells)) {
                for (String metric : metrics(two.baseline().scenario().load())) {
                    tests.add(new DeclaredTest(
                            axis, two.baseline().ordinal(), two.candidate().ordinal(), metric));
                }
            }
        }
        return List.copyOf(tests);
    }

    /**
     * What is judged of a load. A rate that was offered is completed or the server failed, so it is never judged; the
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
        double floor = name.equals(EXCESS_P50) || name.equals(EXCESS_P99) ? Margin.LATENCY_FLOOR_MS : 0;
        return new Margin(metric.scale(), delta, floor);
    }
}
