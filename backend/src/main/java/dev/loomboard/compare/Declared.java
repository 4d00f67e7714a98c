package dev.loomboard.compare;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.matrix.Cell;
import dev.loomboard.matrix.Load;
import dev.loomboard.matrix.TrialPlan;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One test of a run's family, as it is declared before anything is measured (STATISTICS §1, 7).
 *
 * @param baseline ordinal of the cell of the older build; @param candidate likewise of the newer
 * @param metric name in the catalogue
 */
public record Declared(int baseline, int candidate, String metric) {

    static final String EXCESS_P50 = "response_excess_p50_ms";
    static final String EXCESS_P99 = "response_excess_p99_ms";
    static final String THROUGHPUT = "throughput_per_s";
    static final String MAX_RATE = "max_rate_per_s";
    static final String CPU = "cpu_us_per_request";
    static final String MEMORY = "rss_mib";

    /** Whatever is judged of any load. */
    public static final List<String> ALL = List.of(EXCESS_P50, EXCESS_P99, THROUGHPUT, MAX_RATE, CPU, MEMORY);

    private static final Comparator<Cell> OLDEST_FIRST =
            Comparator.comparing(Cell::jdk, JdkBuild.NEWEST_FIRST).reversed();

    /** All tests of a run: each two cells that differ in the build alone × what is declared of their load. */
    public static List<Declared> of(List<Cell> cells) {
        Map<String, List<Cell>> groups = new LinkedHashMap<>();
        for (Cell cell : cells) {
            String group =
                    TrialPlan.group(cell.server(), cell.variant(), cell.scenarioKey(), cell.collector(), cell.limits());
            groups.computeIfAbsent(group, name -> new ArrayList<>()).add(cell);
        }
        List<Declared> tests = new ArrayList<>();
        for (List<Cell> group : groups.values()) {
            pairs(group.stream().sorted(OLDEST_FIRST).toList(), tests);
        }
        return List.copyOf(tests);
    }

    private static void pairs(List<Cell> group, List<Declared> tests) {
        for (int i = 0; i < group.size(); i++) {
            for (int k = i + 1; k < group.size(); k++) {
                for (String metric : metrics(group.get(i).load())) {
                    tests.add(new Declared(group.get(i).ordinal(), group.get(k).ordinal(), metric));
                }
            }
        }
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
        return new Margin(Scale.of(metric.scale()), delta, floor);
    }
}
