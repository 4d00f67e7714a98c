package dev.loomboard.compare;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.matching.Comparison;
import dev.loomboard.matching.MultiComparison;
import dev.loomboard.matching.RatioSummary;
import dev.loomboard.verdict.ComparisonDimension;
import dev.loomboard.verdict.MetricTab;
import dev.loomboard.verdict.VerdictCounts;
import dev.loomboard.view.Filter;
import dev.loomboard.view.Query;
import dev.loomboard.web.PageTwin;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One side against one or more others, on one metric.
 *
 * @param tally verdicts over all cells, metrics and candidates, whatever is filtered
 * @param rows verdicts first, by adjusted p, then the greatest difference; without a ratio last
 * @param means one per candidate
 * @param table the rows as they are drawn
 */
public record MultiComparisonPage(
        Query query,
        ComparisonDimension subject,
        MultiComparison.Named baseline,
        List<MultiComparison.Named> candidates,
        List<MultiComparison.Named> choices,
        Metric metric,
        List<MetricTab> tabs,
        List<Filter> filters,
        VerdictCounts tally,
        List<Row> rows,
        List<Summary> means,
        RatioTable table)
        implements ComparedPage {

    public record Row(MultiComparison.Named candidate, Comparison.Pair pair) {}

    /** Of the cells shown. */
    public record Summary(
            MultiComparison.Named candidate, @JsonUnwrapped RatioSummary summary) {}

    public record Twin(
            ComparisonDimension subject,
            MultiComparison.Named baseline,
            List<MultiComparison.Named> candidates,
            Metric metric,
            VerdictCounts tally,
            List<Row> rows,
            List<Summary> means)
            implements PageTwin {}

    @Override
    public Twin twin() {
        return new Twin(subject, baseline, candidates, metric, tally, rows, means);
    }

    static MultiComparisonPage of(
            MultiComparison sides, List<MultiComparison.Named> choices, String path, Map<String, String> parameters) {
        Query query = Query.of(path, named(sides), parameters, "scenario", "metric");
        List<Comparison.Pair> all = sides.pairs();
        Set<String> metrics = ComparePage.metrics(all);
        String metric = MetricTab.chosen(metrics, parameters.get("metric"));
        String scenario = parameters.get("scenario");
        List<Row> rows = sides.against().stream()
                .flatMap(against -> against.pairs().stream().map(pair -> new Row(against.candidate(), pair)))
                .filter(row -> row.pair().cell().metric().equals(metric))
                .filter(row ->
                        scenario == null || scenario.equals(row.pair().cell().scenarioKey()))
                .sorted(Comparator.comparing(Row::pair, RatioTable.BY_SIGNIFICANCE))
                .toList();
        List<MultiComparison.Named> candidates =
                sides.against().stream().map(MultiComparison.Against::candidate).toList();
        return new MultiComparisonPage(
                query,
                sides.subject(),
                sides.baseline(),
                candidates,
                choices,
                Metrics.all().get(metric),
                MetricTab.of(metrics, query, metric),
                List.of(ComparePage.scenarios(all, query, scenario)),
                VerdictCounts.of(all.stream().map(Comparison.Pair::verdict).toList()),
                rows,
                candidates.stream().map(candidate -> summary(candidate, rows)).toList(),
                RatioTable.of(
                        Metrics.all().get(metric), rows.stream().map(Row::pair).toList()));
    }

    private static Map<String, String> named(MultiComparison sides) {
        return Map.of(
                "axis",
                sides.subject().wire(),
                "a",
                sides.baseline().value(),
                "b",
                sides.against().stream()
                        .map(against -> against.candidate().value())
                        .collect(Collectors.joining(",")));
    }

    private static Summary summary(MultiComparison.Named candidate, List<Row> rows) {
        List<Comparison.Pair> pairs = rows.stream()
                .filter(row -> row.candidate().equals(candidate))
                .map(Row::pair)
                .toList();
        return new Summary(candidate, RatioSummary.of(pairs));
    }

    /** Such as "spring-mvc platform-100 against spring-mvc virtual"; of several candidates their number. */
    public String title() {
        String against =
                candidates.size() == 1 ? candidates.getFirst().words() : candidates.size() + " " + subject.words();
        return against + " against " + baseline.words();
    }

    public String question() {
        return several()
                ? "How do " + candidates.size() + " " + subject.words() + " do against " + baseline.words() + "?"
                : "How does " + candidates.getFirst().words() + " do against " + baseline.words() + "?";
    }

    /** Of servers the baseline is the same in every row. */
    public boolean namesServer() {
        return subject != ComparisonDimension.SERVER;
    }

    /** Columns before the ratio. */
    public int lead() {
        return 3 + (several() ? 1 : 0) + (namesServer() ? 1 : 0);
    }

    /** Rows differ in the candidate too. */
    public boolean several() {
        return candidates.size() > 1;
    }

    public boolean chosen(MultiComparison.Named choice) {
        return candidates.stream().anyMatch(candidate -> candidate.value().equals(choice.value()));
    }

    @Override
    public String template() {
        return "compare/among.jte";
    }
}
