package dev.loomboard.trial;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.measurement.Step;
import dev.loomboard.measurement.StoredJson.Document;
import dev.loomboard.rollup.MetricValue;
import dev.loomboard.rollup.OperationNumbers;
import dev.loomboard.rollup.StepPercentiles;
import dev.loomboard.rollup.TrialNumbers;
import dev.loomboard.stats.latency.Quantile;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.MetricReading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a mix in one step, as a table: the whole first, then a row each.
 *
 * @param step its ordinal
 * @param time response, or of a closed load service
 */
public record TrialOperations(int step, String time, List<Row> rows) {

    static final String DONE = "throughput_per_s";

    private static final double NANOS_PER_MS = 1e6;

    /**
     * @param share of the requests that the mix intended
     * @param readings by metric; one that is absent is not known
     */
    public record Row(
            String name,
            int weight,
            double share,
            long sent,
            Map<String, MetricReading> readings,
            List<Step.ErrorClass> errors) {}

    /**
     * @param whole the step
     * @param operations of it, one at least
     */
    static TrialOperations of(TrialDetail.Step whole, List<OperationNumbers> operations) {
        String time = whole.rate() == null ? "service" : "response";
        List<Row> rows = new ArrayList<>();
        int weights = operations.stream().mapToInt(OperationNumbers::weight).sum();
        rows.add(new Row("all operations", weights, 1, whole.hits().sent(), ofWhole(whole, time), List.of()));
        for (OperationNumbers one : operations) {
            rows.add(new Row(
                    one.name(),
                    one.weight(),
                    one.share(whole.hits().offered()),
                    one.sent(),
                    readings(one.metrics()),
                    one.errors()));
        }
        return new TrialOperations(whole.ordinal(), time, List.copyOf(rows));
    }

    /** The percentiles that are shown. */
    public List<Quantile> quantiles() {
        return List.of(Quantile.P50, Quantile.P99, Quantile.P999);
    }

    public String metric(Quantile quantile) {
        return time + "_" + quantile.label() + "_ms";
    }

    public ColumnFormat scale(String metric) {
        List<@Nullable Double> values = new ArrayList<>();
        rows.forEach(row -> {
            MetricReading reading = row.readings().get(metric);
            values.add(reading == null ? null : reading.mean());
        });
        return ColumnFormat.of(Metrics.all().get(metric).unit(), values);
    }

    private static Map<String, MetricReading> ofWhole(TrialDetail.Step whole, String time) {
        Map<String, MetricReading> readings = new LinkedHashMap<>();
        Long inStep = Document.of(whole.outcomes(), Step.Outcomes.class).read().completedInStep();
        double seconds = whole.endSeconds() - whole.startSeconds();
        if (inStep != null && seconds > 0) {
            readings.put(DONE, known(inStep / seconds));
        }
        long offered = whole.hits().offered();
        if (offered > 0) {
            readings.put(
                    TrialNumbers.FAILED, known((double) (offered - whole.hits().completed()) / offered));
        }
        StepPercentiles percentiles = whole.percentiles();
        (time.equals("service") ? percentiles.service() : percentiles.response())
                .forEach((label, value) -> readings.put(
                        time + "_" + label + "_ms",
                        new MetricReading(
                                value.nanos() / NANOS_PER_MS, null, null, value.eligible(), value.reason(), null)));
        return readings;
    }

    private static Map<String, MetricReading> readings(Map<String, MetricValue> metrics) {
        Map<String, MetricReading> readings = new LinkedHashMap<>();
        metrics.forEach((name, v) ->
                readings.put(name, new MetricReading(v.value(), null, null, v.eligible(), v.reason(), null)));
        return readings;
    }

    private static MetricReading known(double value) {
        return new MetricReading(value, null, null, true, null, null);
    }
}
