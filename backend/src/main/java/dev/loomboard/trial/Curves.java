package dev.loomboard.trial;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.stats.latency.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From stored samples and histograms to what a chart draws. */
public final class Curves {

    private static final double NANOS_PER_MS = 1e6;

    private Curves() {}

    /** In the catalogue's order; what the catalogue does not know is left out: nothing says how to read it. */
    static List<SampleSeries> samples(Map<String, ThinnedSamples> columns) {
        List<SampleSeries> all = new ArrayList<>();
        for (Metric metric : Metrics.all().list()) {
            Optional.ofNullable(columns.get(metric.name())).ifPresent(column -> all.add(samples(metric, column)));
        }
        return all;
    }

    static SampleSeries samples(Metric metric, ThinnedSamples column) {
        List<Double> seconds = new ArrayList<>();
        List<@Nullable Double> values = new ArrayList<>();
        for (int point = 0; point < column.points(); point++) {
            seconds.add(column.seconds(point));
            values.add(metric.counter() ? rate(column, point) : column.highest()[point]);
        }
        return new SampleSeries(metric.name(), metric.counter(), column.merged(), seconds, values);
    }

    /** Since the point before; null where either was not measured, at the first, and where the counter was reset. */
    private static @Nullable Double rate(ThinnedSamples column, int point) {
        if (point == 0) {
            return null;
        }
        Double first = column.last()[point - 1];
        Double last = column.last()[point];
        double seconds = column.seconds(point) - column.seconds(point - 1);
        return first == null || last == null || last < first || seconds <= 0 ? null : (last - first) / seconds;
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
