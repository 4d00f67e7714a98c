package dev.loomboard.rollup;

import dev.loomboard.catalog.Metric;
import dev.loomboard.stats.Mean;
import dev.loomboard.stats.latency.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One metric over trials: its mean, and whether that may be judged.
 *
 * @param low null with {@code high}: no interval
 * @param reason why not eligible
 */
public record MetricMean(
        double mean,
        @Nullable Double low,
        @Nullable Double high,
        boolean eligible,
        @Nullable String reason) {

    /**
     * @param found one per trial, in trial order, at least one
     * @param first of these, those whose spread decided how many there are
     * @param failedShares of the hits of each trial
     */
    public static MetricMean of(Metric metric, List<MetricValue> found, int first, List<Double> failedShares) {
        List<Double> values = found.stream().map(MetricValue::value).toList();
        Optional<Mean> declared = Mean.of(metric.scale(), values, first);
        List<String> reasons = new ArrayList<>(found.stream()
                .flatMap(v -> Optional.ofNullable(v.reason()).stream())
                .distinct()
                .toList());
        if (declared.isEmpty()) {
            reasons.add("a trial's value is 0, which the ln scale does not have: this is the plain mean");
        }
        if (!metric.name().equals(TrialNumbers.FAILED)) {
            Failures.gate(failedShares).ifPresent(reasons::add);
        }
        Mean mean = declared.orElseGet(() -> plain(values));
        boolean eligible = reasons.isEmpty() && found.stream().allMatch(MetricValue::eligible);
        return new MetricMean(
                mean.mean(), mean.low(), mean.high(), eligible, reasons.isEmpty() ? null : String.join("; ", reasons));
    }

    private static Mean plain(List<Double> values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return new Mean(sum / values.size(), null, null);
    }
}
