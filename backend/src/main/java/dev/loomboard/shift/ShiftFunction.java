package dev.loomboard.shift;

import dev.loomboard.rollup.StepPercentiles;
import dev.loomboard.stats.Mean;
import dev.loomboard.stats.Ratio;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.latency.Eligibility;
import dev.loomboard.stats.latency.Latencies;
import dev.loomboard.stats.latency.Quantile;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.verdict.PairedTrials;
import dev.loomboard.verdict.RunTrial;
import dev.loomboard.verdict.TestDimension;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the whole distribution of a cell differs from another's: at each percentile candidate ÷ baseline of the excess, from
 * each trial's own histogram. A description without a family, so without verdicts.
 */
public record ShiftFunction(List<Point> points) {

    static final List<Double> QUANTILES = List.of(0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999);

    private static final double NANOS_PER_MS = 1e6;

    public ShiftFunction {
        points = List.copyOf(points);
    }

    /**
     * @param baseline geometric mean over its trials, ms; null with {@code ratio}: not to be judged, see reason
     * @param step how far two trials' values must lie apart to differ, ms: the bucket of a histogram; null: none was kept
     * @param low of the 95 % interval; null: a trial on a side
     * @param blocks paired trials; 0: of different runs, so all of both sides
     */
    public record Point(
            String percentile,
            double quantile,
            @Nullable Double baseline,
            @Nullable Double candidate,
            @Nullable Double step,
            @Nullable Double ratio,
            @Nullable Double low,
            @Nullable Double high,
            int blocks,
            @Nullable String reason) {}

    /**
     * A scored trial.
     *
     * @param trial with the share of its hits that failed as its only metric
     * @param judged its percentiles when it was rolled up, by name
     * @param hits excess of an open load, service time of a closed one; null: not kept any more, not sent, or it measured
     *     nothing
     */
    record Measured(
            RunTrial trial,
            Map<String, StepPercentiles.Value> judged,
            @Nullable Latencies hits) {

        /**
         * With the excess at each percentile, ms, beside the share of its hits that failed.
         *
         * @param toSubtract ms of a closed load
         */
        RunTrial excess(double toSubtract) {
            Map<String, RunTrial.Value> values = new HashMap<>(trial.metrics());
            if (hits != null && !hits.isEmpty()) {
                for (double quantile : QUANTILES) {
                    values.put(Format.percentile(quantile), value(hits, quantile, toSubtract));
                }
            }
            return trial.with(values);
        }

        /** How far two values at a percentile must lie apart to differ, ms; 0: nothing was kept. */
        private double step(double quantile) {
            return hits == null || hits.isEmpty() ? 0 : Latencies.resolution(hits.valueAt(quantile)) / NANOS_PER_MS;
        }

        private RunTrial.Value value(Latencies all, double quantile, double toSubtract) {
            double excess = all.valueAt(quantile) / NANOS_PER_MS - toSubtract;
            StepPercentiles.Value outer = judged.get(outer(quantile).label());
            String reason = outer == null ? "it was not judged" : outer.eligible() ? null : outer.reason();
            if (reason == null && all.count() * quantile < Eligibility.LEAST_BEYOND) {
                reason = "%d requests lie below it, %d are needed"
                        .formatted((long) (all.count() * quantile), Eligibility.LEAST_BEYOND);
            }
            if (excess <= 0) {
                reason = "the response came before the declared delay had passed";
            }
            return new RunTrial.Value(Math.max(0, excess), reason == null, reason);
        }
    }

    /** The nearest percentile outwards that was judged: what may be judged there may be judged here. */
    private static Quantile outer(double quantile) {
        return Stream.of(Quantile.values())
                .filter(judged -> judged.percent() >= quantile * 100 - 1e-9)
                .findFirst()
                .orElse(Quantile.P999);
    }

    /** @param paired they are cells of one run, whose trials took turns */
    static ShiftFunction of(
            CellDetail a, List<Measured> baseline, CellDetail b, List<Measured> candidate, boolean paired) {
        List<RunTrial> mine =
                baseline.stream().map(m -> m.excess(a.toSubtract())).toList();
        List<RunTrial> others =
                candidate.stream().map(m -> m.excess(b.toSubtract())).toList();
        TestDimension axis = a.server().name().equals(b.server().name()) ? TestDimension.JDK : TestDimension.SERVER;
        List<Point> points = new ArrayList<>();
        for (double quantile : QUANTILES) {
            PairedTrials sides = PairedTrials.of(axis, Format.percentile(quantile), mine, others);
            double step = Stream.concat(baseline.stream(), candidate.stream())
                    .mapToDouble(trial -> trial.step(quantile))
                    .max()
                    .orElse(0);
            points.add(paired ? ofBlocks(quantile, sides, a.pilot(), step) : ofAll(quantile, sides, step));
        }
        return new ShiftFunction(points);
    }

    private static Point ofBlocks(double quantile, PairedTrials sides, @Nullable Integer pilot, double step) {
        Effect effect =
                Effect.of(Scale.LN, sides.blocks(), sides.within(pilot), step).orElse(null);
        if (effect == null || !sides.reasons().isEmpty()) {
            return greyed(quantile, step, sides.blocks().size(), String.join("; ", sides.reasons()));
        }
        Effect.Interval interval = effect.interval();
        return new Point(
                Format.percentile(quantile),
                quantile,
                effect.baseline(),
                effect.candidate(),
                known(step),
                effect.size(),
                interval.low(),
                interval.high(),
                effect.blocks(),
                null);
    }

    private static Point ofAll(double quantile, PairedTrials sides, double step) {
        Ratio ratio = Ratio.welch(sides.baseline(), sides.candidate()).orElse(null);
        if (ratio == null || sides.exclusions().asymmetry().isPresent()) {
            return greyed(
                    quantile,
                    step,
                    0,
                    ratio == null
                            ? "one side has no trial that may be judged there"
                            : "the sides lost different shares of their trials");
        }
        return new Point(
                Format.percentile(quantile),
                quantile,
                middle(sides.baseline()),
                middle(sides.candidate()),
                known(step),
                ratio.ratio(),
                ratio.low(),
                ratio.high(),
                0,
                null);
    }

    /** Geometric; the ratio's sides are all positive. */
    private static Double middle(List<Double> values) {
        return Mean.of(Scale.LN, values).orElseThrow().mean();
    }

    private static Point greyed(double quantile, double step, int blocks, String reason) {
        return new Point(
                Format.percentile(quantile), quantile, null, null, known(step), null, null, null, blocks, reason);
    }

    private static @Nullable Double known(double step) {
        return step == 0 ? null : Double.valueOf(step);
    }
}
