package dev.loomboard.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.show.Axis;
import dev.loomboard.show.Filter;
import dev.loomboard.show.Jdk;
import dev.loomboard.show.Query;
import dev.loomboard.show.Scale;
import dev.loomboard.show.Scenario;
import dev.loomboard.stats.Ratio;
import dev.loomboard.web.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Two builds on one metric.
 *
 * @param tally verdicts over all cells and metrics that both builds have, whatever is filtered
 * @param pairs cells that both builds have: verdicts first, by adjusted p, then the greatest difference; without a ratio last
 * @param geometricMean over the pairs' ratios; null: there is none
 * @param distribution the lineages differ: then a difference is the distribution's, not the JDK's
 * @param axis of the ratios, logarithmic: half and double are equally far from 1, which is always on it
 */
public record ComparePage(
        @JsonIgnore Query query,
        Jdk a,
        Jdk b,
        @JsonIgnore List<Jdk> choices,
        Metric metric,
        @JsonIgnore List<Tab> tabs,
        @JsonIgnore List<Filter> filters,
        Tally tally,
        List<Comparison.Pair> pairs,
        @Nullable Ratio geometricMean,
        boolean distribution,
        @JsonIgnore Axis axis)
        implements Page {

    /** On the ln scale: about two per cent to either side of 1. */
    private static final double LEAST_SHOWN = 0.02;

    private static final Comparator<Comparison.Pair> BY_SIGNIFICANCE = Comparator.comparingDouble(
                    Comparison.Pair::adjustedP)
            .thenComparing(Comparator.comparingDouble(ComparePage::difference).reversed());

    public record Tab(Metric metric, String href, boolean current) {}

    static ComparePage of(
            Comparison comparison, Jdk a, Jdk b, List<Jdk> choices, String path, Map<String, String> parameters) {
        Query query = new Query(path, kept(a, b, parameters));
        String metric = metric(comparison, parameters.get("metric"));
        String scenario = parameters.get("scenario");
        List<Comparison.Pair> pairs = comparison.pairs().stream()
                .filter(p -> p.metric().equals(metric))
                .filter(p -> scenario == null || scenario.equals(p.scenarioKey()))
                .sorted(BY_SIGNIFICANCE)
                .toList();
        return new ComparePage(
                query,
                a,
                b,
                choices,
                Metrics.all().get(metric),
                tabs(comparison, query, metric),
                List.of(scenarios(comparison, query, scenario)),
                Tally.of(comparison.pairs()),
                pairs,
                geometricMean(pairs),
                comparison.distribution(),
                axis(pairs));
    }

    private static Map<String, String> kept(Jdk a, Jdk b, Map<String, String> parameters) {
        Map<String, String> values = new TreeMap<>(Map.of("a", a.slug(), "b", b.slug()));
        for (String name : List.of("scenario", "metric")) {
            String value = parameters.get(name);
            if (value != null) {
                values.put(name, value);
            }
        }
        return values;
    }

    /** What was asked for; else the first that there is. */
    private static String metric(Comparison comparison, @Nullable String asked) {
        if (asked != null && CompareStore.METRICS.contains(asked)) {
            return asked;
        }
        return comparison.pairs().stream()
                .map(Comparison.Pair::metric)
                .min(Comparator.comparingInt(CompareStore.METRICS::indexOf))
                .orElse(CompareStore.METRICS.getFirst());
    }

    private static double difference(Comparison.Pair pair) {
        Double ratio = pair.ratio();
        return ratio == null ? -1 : Math.abs(Math.log(ratio));
    }

    /** A summary of the ratios shown, each cell counting once; not a verdict. */
    private static @Nullable Ratio geometricMean(List<Comparison.Pair> pairs) {
        List<Ratio> ratios = new ArrayList<>();
        for (Comparison.Pair pair : pairs) {
            Double ratio = pair.ratio();
            if (ratio != null) {
                ratios.add(new Ratio(ratio, pair.low(), pair.high()));
            }
        }
        return Ratio.mean(ratios).orElse(null);
    }

    private static List<Tab> tabs(Comparison comparison, Query query, String current) {
        return CompareStore.METRICS.stream()
                .filter(m ->
                        comparison.pairs().stream().anyMatch(p -> p.metric().equals(m)))
                .map(m -> new Tab(Metrics.all().get(m), query.with("metric", m), m.equals(current)))
                .toList();
    }

    private static Filter scenarios(Comparison comparison, Query query, @Nullable String chosen) {
        return new Filter(
                "scenario",
                comparison.pairs().stream()
                        .map(Comparison.Pair::scenarioKey)
                        .distinct()
                        .map(key -> new Filter.Choice(
                                Scenario.of(key).words(), query.with("scenario", key), key.equals(chosen)))
                        .toList(),
                query.with("scenario", null));
    }

    /** What a ratio means for the candidate. */
    public String below() {
        return switch (metric.better()) {
            case "higher" -> "above 1 the candidate completes more";
            default -> "below 1 the candidate needs " + (metric.unit().equals("MiB") ? "less" : "less time");
        };
    }

    /** Requests per second that closed loads were found to complete; no open load is among them. */
    public boolean ofClosedLoads() {
        return metric.name().equals(Declared.THROUGHPUT);
    }

    public Scale scale() {
        List<@Nullable Double> values = new ArrayList<>();
        for (Comparison.Pair pair : pairs) {
            values.add(pair.baseline().mean());
            values.add(pair.candidate().mean());
        }
        return Scale.of(metric.unit(), values);
    }

    private static Axis axis(List<Comparison.Pair> pairs) {
        List<@Nullable Double> values = new ArrayList<>();
        values.add(-LEAST_SHOWN);
        values.add(LEAST_SHOWN);
        for (Comparison.Pair pair : pairs) {
            values.add(log(pair.ratio()));
            values.add(log(pair.low()));
            values.add(log(pair.high()));
        }
        return Axis.over(values);
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

    public Scenario scenario(Comparison.Pair pair) {
        return Scenario.of(pair.scenarioKey());
    }

    /** What was stored of a pair; null: nothing, and {@link #words} says why. */
    public @Nullable Said said(Comparison.Pair pair) {
        Comparison.Judged judged = pair.judged();
        Outcome outcome = judged == null ? null : judged.outcome();
        return judged == null || outcome == null ? null : new Said(outcome, judged.familySize());
    }

    /** Why there is no verdict on a pair. */
    public String words(Comparison.Pair pair) {
        if (pair.retracted() != null) {
            return pair.retracted().words();
        }
        if (said(pair) == null && pair.ratio() != null && pair.low() == null) {
            return pair.baseline().values().size() == 1
                            && pair.candidate().values().size() == 1
                    ? "one trial each: no interval, no verdict"
                    : "one trial on a side: no interval, no verdict";
        }
        String reason = pair.reason();
        return reason == null ? "" : "no verdict: " + reason;
    }

    @Override
    public String template() {
        return "compare/compare.jte";
    }

    @Override
    public @Nullable String fragment() {
        return "compare/_cells.jte";
    }
}
