package dev.loomboard.rollup;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.SeriesKey;
import dev.loomboard.cell.SeriesKey.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One metric of a finished cell over its trials.
 *
 * @param low null with {@code high}: no interval
 * @param values one per trial, in trial order
 * @param trialIds the trials, same order
 * @param reason why not eligible
 */
public record CellSummary(
        String metric,
        SeriesKey key,
        double mean,
        @Nullable Double low,
        @Nullable Double high,
        List<Double> values,
        List<Long> trialIds,
        boolean eligible,
        @Nullable String reason) {

    /**
     * In the catalogue's order; a metric that no trial has is absent. Scored metrics come from scored trials alone, and from
     * sound ones if any is: of a cell without one, which never ranks, the numbers are shown as they are.
     */
    public static List<CellSummary> of(FinishedCell cell) {
        List<CellSummary> all = new ArrayList<>();
        for (Metric metric : Metrics.all().list()) {
            if (metric.ofTrial()) {
                boolean diagnostic = metric.trialKind() == Metric.TrialKinds.DIAGNOSTIC;
                List<FinishedCell.Trial> trials = cell.trials().stream()
                        .filter(t -> t.diagnostic() == diagnostic
                                && t.done()
                                && t.metrics().containsKey(metric.name()))
                        .toList();
                List<FinishedCell.Trial> sound =
                        trials.stream().filter(FinishedCell.Trial::sound).toList();
                of(cell, metric, sound.isEmpty() ? trials : sound).ifPresent(all::add);
            }
        }
        return all;
    }

    private static Optional<CellSummary> of(FinishedCell cell, Metric metric, List<FinishedCell.Trial> trials) {
        List<MetricValue> found = trials.stream()
                .flatMap(t -> Optional.ofNullable(t.metrics().get(metric.name())).stream())
                .toList();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        MetricMean mean = MetricMean.of(metric, found, first(cell, trials), cell.failedShares());
        return Optional.of(new CellSummary(
                metric.name(),
                key(cell, metric.name()),
                mean.mean(),
                mean.low(),
                mean.high(),
                found.stream().map(MetricValue::value).toList(),
                trials.stream().map(FinishedCell.Trial::trialId).toList(),
                mean.eligible(),
                mean.reason()));
    }

    /** Of the trials those whose spread decided how many there are; all, if nothing did. */
    private static int first(FinishedCell cell, List<FinishedCell.Trial> trials) {
        Integer pilot = cell.pilot();
        return pilot == null
                ? trials.size()
                : Math.toIntExact(trials.stream()
                        .filter(trial -> trial.diagnostic() || trial.ordinal() <= pilot)
                        .count());
    }

    private static SeriesKey key(FinishedCell cell, String metric) {
        return SeriesKey.of(Map.ofEntries(
                Map.entry(Part.MACHINE, cell.machine().id()),
                Map.entry(Part.SERVER, cell.server().name()),
                Map.entry(Part.VARIANT, cell.server().variant()),
                Map.entry(Part.SCENARIO, cell.scenarioKey()),
                Map.entry(Part.COLLECTOR, cell.settings().collector()),
                Map.entry(Part.JVM_OPTIONS, String.join(" ", cell.settings().jvmOptions())),
                Map.entry(Part.LIMITS, cell.settings().limits().canonical()),
                Map.entry(
                        Part.PLACEMENT,
                        cell.machine().placement() == null ? "" : cell.machine().placement()),
                Map.entry(Part.PROTOCOL, cell.settings().protocol()),
                Map.entry(Part.METRIC, metric),
                Map.entry(Part.TRACK, cell.track().key())));
    }
}
