package dev.loomboard.trial;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.rollup.SampleColumn;
import dev.loomboard.stats.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From stored samples and histograms to what a chart draws. */
public final class Curves {

    /** More points than this no chart shows apart. */
    public static final int MOST_POINTS = 600;

    private static final double NANOS_PER_MS = 1e6;

    private Curves() {}

    /** In the catalogue's order; what the catalogue does not know is left out: nothing says how to read it. */
    static List<SampleSeries> samples(Map<String, SampleColumn> columns) {
        List<SampleSeries> all = new ArrayList<>();
        for (Metric metric : Metrics.all().list()) {
            Optional.ofNullable(columns.get(metric.name())).ifPresent(column -> all.add(samples(metric, column)));
        }
        return all;
    }

    public static SampleSeries samples(Metric metric, SampleColumn column) {
        int merged = Math.max(1, (column.size() + MOST_POINTS - 1) / MOST_POINTS);
        List<Double> seconds = new ArrayList<>();
        List<@Nullable Double> values = new ArrayList<>();
        for (int from = 0; from < column.size(); from += merged) {
            int to = Math.min(from + merged, column.size()) - 1;
            seconds.add(column.seconds(to));
            values.add(metric.counter() ? rate(column, from - 1, to) : highest(column, from, to));
        }
        return new SampleSeries(metric.name(), metric.counter(), merged, seconds, values);
    }

    /** Between two ticks; null where either was not measured, before the first, and where the counter was reset. */
    private static @Nullable Double rate(SampleColumn column, int from, int to) {
        if (from < 0) {
            return null;
        }
        Double first = column.value(from);
        Double last = column.value(to);
        double seconds = column.seconds(to) - column.seconds(from);
        return first == null || last == null || last < first || seconds <= 0 ? null : (last - first) / seconds;
    }

    private static @Nullable Double highest(SampleColumn column, int from, int to) {
        Double highest = null;
        for (int tick = from; tick <= to; tick++) {
            Double value = column.value(tick);
            if (value != null && (highest == null || value > highest)) {
                highest = value;
            }
        }
        return highest;
    }

    /** Of a closed load, which has no response times. */
    static PercentileCurve closed(int step, @Nullable Integer connections, Latencies service) {
        List<PercentileCurve.Point> points = service.curve().stream()
                .map(p -> new PercentileCurve.Point(p.quantile(), null, p.nanos() / NANOS_PER_MS))
                .toList();
        return new PercentileCurve(step, null, connections, service.count(), points);
    }

    static PercentileCurve open(int step, double rate, Latencies response, Latencies service) {
        List<PercentileCurve.Point> points = response.curve().stream()
                .map(p -> new PercentileCurve.Point(
                        p.quantile(),
                        p.nanos() / NANOS_PER_MS,
                        service.isEmpty() ? null : service.valueAt(p.quantile()) / NANOS_PER_MS))
                .toList();
        return new PercentileCurve(step, rate, null, response.count(), points);
    }
}
