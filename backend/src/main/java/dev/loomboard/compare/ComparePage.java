package dev.loomboard.compare;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Jdk;
import dev.loomboard.matching.Comparison;
import dev.loomboard.matching.RatioSummary;
import dev.loomboard.verdict.MetricTab;
import dev.loomboard.verdict.VerdictCounts;
import dev.loomboard.view.Filter;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Urls;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Two builds on one metric.
 *
 * @param tally verdicts over all cells and metrics that both builds have, whatever is filtered
 * @param pairs cells that both builds have: verdicts first, by adjusted p, then the greatest difference; without a ratio last
 * @param distribution the lineages differ: then a difference is the distribution's, not the JDK's
 * @param table the pairs as they are drawn
 * @param changes of all cells and metrics, whatever is filtered
 * @param site scheme, host and port of the service
 */
public record ComparePage(
        Query query,
        Jdk a,
        Jdk b,
        List<Jdk> choices,
        Metric metric,
        List<MetricTab> tabs,
        List<Filter> filters,
        VerdictCounts tally,
        List<Comparison.Pair> pairs,
        RatioSummary geometricMean,
        boolean distribution,
        RatioTable table,
        ChangeMatrix changes,
        String site)
        implements ComparedPage {

    public record Twin(
            Jdk a,
            Jdk b,
            Metric metric,
            VerdictCounts tally,
            List<Comparison.Pair> pairs,
            RatioSummary geometricMean,
            boolean distribution)
            implements PageTwin {}

    @Override
    public Twin twin() {
        return new Twin(a, b, metric, tally, pairs, geometricMean, distribution);
    }

    static ComparePage of(
            Comparison comparison, Jdk a, Jdk b, List<Jdk> choices, String site, Map<String, String> parameters) {
        Query query = Query.of(
                Urls.compare(),
                Map.of("a", a.slug(), "b", b.slug()),
                parameters,
                "scenario",
                "metric",
                ChangeMatrix.PARAMETER);
        Set<String> metrics = metrics(comparison.pairs());
        String metric = MetricTab.chosen(metrics, parameters.get("metric"));
        String scenario = parameters.get("scenario");
        List<Comparison.Pair> pairs = comparison.pairs().stream()
                .filter(p -> p.cell().metric().equals(metric))
                .filter(p -> scenario == null || scenario.equals(p.cell().scenarioKey()))
                .sorted(RatioTable.BY_SIGNIFICANCE)
                .toList();
        return new ComparePage(
                query,
                a,
                b,
                choices,
                Metrics.all().get(metric),
                MetricTab.of(metrics, query, metric),
                List.of(scenarios(comparison.pairs(), query, scenario)),
                VerdictCounts.of(comparison.pairs().stream()
                        .map(Comparison.Pair::verdict)
                        .toList()),
                pairs,
                RatioSummary.of(pairs),
                comparison.distribution(),
                RatioTable.of(Metrics.all().get(metric), pairs),
                ChangeMatrix.of(
                        comparison.pairs(), query, ChangeMatrix.ALL.equals(parameters.get(ChangeMatrix.PARAMETER))),
                site);
    }

    /** What changed, as text for an issue. */
    public String markdown() {
        return changes.markdown(
                a.slug() + " to " + b.slug() + ": " + tally.words(), site + Urls.compare(a.slug(), b.slug()));
    }

    static Set<String> metrics(List<Comparison.Pair> pairs) {
        return pairs.stream().map(pair -> pair.cell().metric()).collect(Collectors.toSet());
    }

    static Filter scenarios(List<Comparison.Pair> pairs, Query query, @Nullable String chosen) {
        return new Filter(
                "scenario",
                pairs.stream()
                        .map(pair -> pair.cell().scenarioKey())
                        .distinct()
                        .map(key -> new Filter.Choice(
                                ScenarioText.of(key).words(), query.with("scenario", key), key.equals(chosen)))
                        .toList(),
                query.with("scenario", null));
    }

    @Override
    public String template() {
        return "compare/compare.jte";
    }
}
