package dev.loomboard.leaderboard;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.ScenarioText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One column of the table.
 *
 * @param metric name in the catalogue
 * @param text its head
 * @param note below it
 * @param condition below that; null: none
 */
public record BoardColumn(
        String metric,
        String text,
        @Nullable String note,
        @Nullable String condition,
        ColumnFormat scale) {

    static final String EXCESS_P50 = "response_excess_p50_ms";
    static final String EXCESS_P99 = "response_excess_p99_ms";
    static final String P50 = "response_p50_ms";
    static final String P99 = "response_p99_ms";
    static final String P999 = "response_p999_ms";
    static final String SERVICE_P50 = "service_p50_ms";
    static final String SERVICE_P99 = "service_p99_ms";
    static final String SERVICE_P999 = "service_p999_ms";
    static final String THROUGHPUT = "throughput_per_s";
    static final String MAX_RATE = "max_rate_per_s";
    static final String P50_AT_SHARE = "response_p50_at_70_ms";
    static final String P99_AT_SHARE = "response_p99_at_70_ms";
    static final String ERRORS = "error_ratio";
    static final String CPU = "cpu_us_per_request";
    static final String RSS = "rss_mib";
    static final String PER_CORE = "throughput_per_core";
    static final String PER_GIB = "throughput_per_gib";
    static final String STARTUP = "startup_ms";
    static final String STEADY = "time_to_steady_s";
    static final String CONTENDED = "contended_per_1k_requests";

    /** What most readers decide by, and what fits beside it into a window. */
    private static final Set<String> MAIN = Set.of(
            EXCESS_P50,
            EXCESS_P99,
            P50,
            P99,
            SERVICE_P50,
            SERVICE_P99,
            MAX_RATE,
            P50_AT_SHARE,
            P99_AT_SHARE,
            ERRORS,
            CPU,
            RSS,
            STARTUP);

    private static final String EXCESS = "over delay, ";

    /** What rows are ordered by where nothing else is said. */
    static String usual(ScenarioText scenario) {
        return scenario.closed() ? SERVICE_P50 : P50;
    }

    /** In the order of the table. */
    static List<BoardColumn> of(ScenarioText scenario, List<Entry> rows, @Nullable String searched) {
        boolean closed = scenario.closed();
        String at = closed ? "at " + scenario.connectionsInWords() : null;
        String time = closed ? "service, " : "response, ";
        List<BoardColumn> all = new ArrayList<>();
        // What the server adds to a delay that the workload declares decides: the response is both.
        if (!closed) {
            all.add(timed(EXCESS_P50, "p50 excess", EXCESS, null, rows));
            all.add(timed(EXCESS_P99, "p99 excess", EXCESS, null, rows));
        }
        all.add(timed(closed ? SERVICE_P50 : P50, "p50 latency", time, at, rows));
        all.add(timed(closed ? SERVICE_P99 : P99, "p99 latency", time, at, rows));
        all.add(timed(closed ? SERVICE_P999 : P999, "p99.9 latency", time, at, rows));
        all.add(column(MAX_RATE, "Max rate", "/s", searched, rows));
        if (ScenarioText.objective(scenario.key()) != null) {
            all.add(timed(P50_AT_SHARE, "p50 latency", time, "at 70 % of its max rate", rows));
            all.add(timed(P99_AT_SHARE, "p99 latency", time, "at 70 % of its max rate", rows));
        }
        all.add(column(ERRORS, "Errors", "of offered", null, rows));
        all.add(column(CPU, "CPU", "µs/request", null, rows));
        all.add(column(RSS, "RSS", "MiB", null, rows));
        all.add(column(THROUGHPUT, "Throughput", "/s", null, rows));
        all.add(column(PER_CORE, "Throughput", "/s per core", null, rows));
        all.add(column(PER_GIB, "Throughput", "/s per GiB", null, rows));
        all.add(column(STARTUP, "Start-up", "ms", null, rows));
        all.add(column(STEADY, "Warm-up", "s", null, rows));
        all.add(column(CONTENDED, "Contended", "/1000, diagnostic", null, rows));
        return all;
    }

    /** Whether any row has it; a column of gaps is named below the table instead. */
    boolean measured(List<Entry> rows) {
        return rows.stream().anyMatch(entry -> entry.reading(metric) != null);
    }

    /** Whether it is shown although nobody asked for all. */
    boolean isMain() {
        return MAIN.contains(metric);
    }

    /** Whether it is missed where no row has it: only workloads that declare a delay have an excess. */
    boolean missed() {
        return !metric.equals(EXCESS_P50) && !metric.equals(EXCESS_P99);
    }

    /** Its head in one line, for cells that stand by themselves. */
    public String label() {
        return text + (note == null ? "" : ", " + note);
    }

    /** Where more is better the best comes first; also in the order of the rows. */
    public boolean highestFirst() {
        return Metrics.all().get(metric).better() == Metric.Preferred.HIGHER;
    }

    /** A share of what was offered, which is written as per cent. */
    public boolean percent() {
        return metric.equals(ERRORS);
    }

    private static BoardColumn timed(String metric, String text, String time, @Nullable String at, List<Entry> rows) {
        ColumnFormat scale = scale(metric, rows);
        return new BoardColumn(metric, text, time + scale.unit(), at, scale);
    }

    private static BoardColumn column(
            String metric, String text, String note, @Nullable String condition, List<Entry> rows) {
        return new BoardColumn(metric, text, note, condition, scale(metric, rows));
    }

    /** One for the whole column: the same unit and decimals in all its rows. */
    private static ColumnFormat scale(String metric, List<Entry> rows) {
        List<@Nullable Double> values = new ArrayList<>();
        for (Entry entry : rows) {
            var reading = entry.reading(metric);
            values.add(reading == null ? null : reading.mean());
        }
        return ColumnFormat.of(Metrics.all().get(metric).unit(), values);
    }
}
