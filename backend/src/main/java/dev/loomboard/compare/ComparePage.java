package dev.loomboard.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.show.Filter;
import dev.loomboard.show.Jdk;
import dev.loomboard.show.Query;
import dev.loomboard.show.Scenario;
import dev.loomboard.stats.Ratio;
import dev.loomboard.web.Page;
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
 * @param table the pairs as they are drawn
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
        @JsonIgnore RatioTable table)
        implements Page {

    public record Tab(Metric metric, String href, boolean current) {}

    static ComparePage of(
            Comparison comparison, Jdk a, Jdk b, List<Jdk> choices, String path, Map<String, String> parameters) {
        Query query = new Query(path, kept(a, b, parameters));
        String metric = metric(comparison, parameters.get("metric"));
        String scenario = parameters.get("scenario");
        List<Comparison.Pair> pairs = comparison.pairs().stream()
                .filter(p -> p.metric().equals(metric))
                .filter(p -> scenario == null || scenario.equals(p.scenarioKey()))
                .sorted(RatioTable.BY_SIGNIFICANCE)
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
                RatioTable.geometricMean(pairs).orElse(null),
                comparison.distribution(),
                RatioTable.of(Metrics.all().get(metric), pairs));
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

    @Override
    public String template() {
        return "compare/compare.jte";
    }

    @Override
    public @Nullable String fragment() {
        return "compare/_cells.jte";
    }
}
