package dev.loomboard.compare;

import dev.loomboard.catalog.Metric;
import dev.loomboard.matching.Comparison;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.JudgedTest;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.verdict.VerdictText;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.IntervalAxis;
import dev.loomboard.view.ScenarioText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ratios on one metric as a table draws them: one unit, one axis, one order.
 *
 * @param axis of the ratios, logarithmic: half and double are equally far from 1, which is always on it
 * @param common why no pair has a verdict, where that is one reason for several pairs, which need not repeat it; else empty
 */
public record RatioTable(Metric metric, List<Comparison.Pair> pairs, IntervalAxis axis, String common) {

    /** On the ln scale: about two per cent to either side of 1. */
    private static final double LEAST_SHOWN = 0.02;

    /** Verdicts first, by adjusted p, then the greatest difference; without a ratio last. */
    static final Comparator<Comparison.Pair> BY_SIGNIFICANCE = Comparator.comparingDouble(Comparison.Pair::adjustedP)
            .thenComparing(Comparator.comparingDouble(RatioTable::difference).reversed());

    private static double difference(Comparison.Pair pair) {
        Double ratio = pair.estimate().ratio();
        return ratio == null ? -1 : Math.abs(Math.log(ratio));
    }

    static RatioTable of(Metric metric, List<Comparison.Pair> pairs) {
        return new RatioTable(metric, pairs, axis(pairs), common(pairs));
    }

    private static String common(List<Comparison.Pair> pairs) {
        List<String> reasons =
                pairs.stream().map(RatioTable::reason).distinct().limit(2).toList();
        return pairs.size() > 1 && reasons.size() == 1 ? reasons.getFirst() : "";
    }

    /** What a ratio means for the candidate. */
    public String below() {
        return switch (metric.better()) {
            case HIGHER -> "above 1 the candidate completes more";
            case LOWER, NONE -> "below 1 the candidate needs " + (metric.unit().equals("MiB") ? "less" : "less time");
        };
    }

    /** Requests per second that closed loads were found to complete; no open load is among them. */
    public boolean ofClosedLoads() {
        return metric.name().equals(DeclaredTest.THROUGHPUT);
    }

    public ColumnFormat scale() {
        List<@Nullable Double> values = new ArrayList<>();
        for (Comparison.Pair pair : pairs) {
            values.add(pair.baseline().mean());
            values.add(pair.candidate().mean());
        }
        return ColumnFormat.of(metric.unit(), values);
    }

    private static IntervalAxis axis(List<Comparison.Pair> pairs) {
        List<@Nullable Double> values = new ArrayList<>();
        values.add(-LEAST_SHOWN);
        values.add(LEAST_SHOWN);
        for (Comparison.Pair pair : pairs) {
            values.add(log(pair.estimate().ratio()));
            values.add(log(pair.estimate().low()));
            values.add(log(pair.estimate().high()));
        }
        return IntervalAxis.over(values);
    }

    private static @Nullable Double log(@Nullable Double value) {
        return value == null ? null : Double.valueOf(Math.log(value));
    }

    public String x(double ratio) {
        return axis.x(Math.log(ratio));
    }

    public double axisFrom() {
        return Math.exp(axis.from());
    }

    public double axisTo() {
        return Math.exp(axis.to());
    }

    public ScenarioText scenario(Comparison.Pair pair) {
        return ScenarioText.of(pair.cell().scenarioKey());
    }

    /** What was stored of a pair; null: nothing, and {@link #words} says why. */
    public @Nullable VerdictText said(Comparison.Pair pair) {
        return stored(pair);
    }

    private static @Nullable VerdictText stored(Comparison.Pair pair) {
        JudgedTest judged = pair.judged();
        Outcome outcome = judged == null ? null : judged.outcome();
        return judged == null || outcome == null ? null : new VerdictText(outcome, judged.familySize());
    }

    /** Why there is no verdict on a pair; short where it is what all have in common. */
    public String words(Comparison.Pair pair) {
        return common.isEmpty() ? reason(pair) : "no verdict";
    }

    /** Empty: there is a verdict. */
    private static String reason(Comparison.Pair pair) {
        Retracted retracted = pair.retracted();
        if (retracted != null) {
            return retracted.words();
        }
        if (stored(pair) == null
                && pair.estimate().ratio() != null
                && pair.estimate().low() == null) {
            return pair.baseline().values().size() == 1
                            && pair.candidate().values().size() == 1
                    ? "one trial each: no interval, no verdict"
                    : "one trial on a side: no interval, no verdict";
        }
        String reason = pair.reason();
        return reason == null ? "" : "no verdict: " + reason;
    }
}
