package dev.loomboard.runpages;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.rollup.MetricMean;
import dev.loomboard.rollup.MetricValue;
import dev.loomboard.rollup.OperationNumbers;
import dev.loomboard.rollup.TrialNumbers;
import dev.loomboard.view.MetricReading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a mix over the trials of a cell that has one rate or number of connections.
 *
 * @param share of the requests that the mix intended, over all these trials
 * @param readings means over the trials that count, with their intervals, by metric
 * @param trials what each of them gave
 */
public record CellOperation(
        String name, int weight, double share, Map<String, MetricReading> readings, List<OfTrial> trials) {

    /** @param trial external id */
    public record OfTrial(String trial, Map<String, MetricValue> metrics) {}

    /** What a trial gave; empty: it does not count, or has no such operation. */
    Map<String, MetricValue> of(String trial) {
        return trials.stream()
                .filter(one -> one.trial().equals(trial))
                .findFirst()
                .map(OfTrial::metrics)
                .orElse(Map.of());
    }

    /** What is shown of an operation: failures, work, and times of either kind of load. */
    static final List<String> METRICS = List.of(
            "throughput_per_s",
            TrialNumbers.FAILED,
            "response_p50_ms",
            "response_p99_ms",
            "response_p999_ms",
            "service_p50_ms",
            "service_p99_ms",
            "service_p999_ms");

    /**
     * A trial's operations.
     *
     * @param ordinal which scored trial of its cell, from 1
     */
    record Measured(String trial, int ordinal, List<OperationNumbers> operations) {}

    /**
     * By name, over trials in their order.
     *
     * @param trials those that count
     * @param sound whether they are; else a cell has no sound ones, and its numbers are shown as they are
     * @param pilot scored trials whose spread decided how many there are; null: nothing did
     */
    static List<CellOperation> of(List<Measured> trials, boolean sound, @Nullable Integer pilot) {
        long offered = 0;
        Map<String, List<Measured>> byName = new TreeMap<>();
        for (Measured trial : trials) {
            for (OperationNumbers one : trial.operations()) {
                offered += one.offered();
                byName.computeIfAbsent(one.name(), name -> new ArrayList<>())
                        .add(new Measured(trial.trial(), trial.ordinal(), List.of(one)));
            }
        }
        List<CellOperation> all = new ArrayList<>();
        for (Map.Entry<String, List<Measured>> of : byName.entrySet()) {
            all.add(of(of.getKey(), of.getValue(), sound, pilot, offered));
        }
        return List.copyOf(all);
    }

    private static CellOperation of(
            String name, List<Measured> trials, boolean sound, @Nullable Integer pilot, long offered) {
        List<OperationNumbers> each =
                trials.stream().map(t -> t.operations().getFirst()).toList();
        int first = pilot == null
                ? trials.size()
                : (int) trials.stream().filter(t -> t.ordinal() <= pilot).count();
        List<Double> failed = each.stream()
                .flatMap(o -> Optional.ofNullable(o.metrics().get(TrialNumbers.FAILED)).stream())
                .map(MetricValue::value)
                .toList();
        Map<String, MetricReading> readings = new LinkedHashMap<>();
        for (String metric : METRICS) {
            List<MetricValue> found = each.stream()
                    .flatMap(o -> Optional.ofNullable(o.metrics().get(metric)).stream())
                    .toList();
            if (!found.isEmpty()) {
                readings.put(metric, reading(sound, MetricMean.of(Metrics.all().get(metric), found, first, failed)));
            }
        }
        return new CellOperation(
                name,
                each.getLast().weight(),
                offered == 0
                        ? 0
                        : (double) each.stream()
                                        .mapToLong(OperationNumbers::offered)
                                        .sum()
                                / offered,
                readings,
                trials.stream()
                        .map(t -> new OfTrial(t.trial(), shown(t.operations().getFirst())))
                        .toList());
    }

    private static MetricReading reading(boolean sound, MetricMean mean) {
        return new MetricReading(
                mean.mean(),
                mean.low(),
                mean.high(),
                sound && mean.eligible(),
                sound ? mean.reason() : "no trial is sound: each is invalid or never reached a steady state",
                null);
    }

    private static Map<String, MetricValue> shown(OperationNumbers operation) {
        Map<String, MetricValue> shown = new LinkedHashMap<>();
        METRICS.forEach(metric ->
                Optional.ofNullable(operation.metrics().get(metric)).ifPresent(value -> shown.put(metric, value)));
        return shown;
    }
}
