package dev.loomboard.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.show.Filter;
import dev.loomboard.show.Query;
import dev.loomboard.show.Scenario;
import dev.loomboard.stats.Ratio;
import dev.loomboard.web.Page;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One side against one or more others, on one metric.
 *
 * @param tally verdicts over all cells, metrics and candidates, whatever is filtered
 * @param rows verdicts first, by adjusted p, then the greatest difference; without a ratio last
 * @param means one per candidate
 * @param table the rows as they are drawn
 */
public record SidesPage(
        @JsonIgnore Query query,
        Subject subject,
        Sides.Named baseline,
        List<Sides.Named> candidates,
        @JsonIgnore List<Sides.Named> choices,
        Metric metric,
        @JsonIgnore List<ComparePage.Tab> tabs,
        @JsonIgnore List<Filter> filters,
        Tally tally,
        List<Row> rows,
        List<Summary> means,
        @JsonIgnore RatioTable table)
        implements Page {

    public record Row(Sides.Named candidate, Comparison.Pair pair) {}

    /** @param ratio geometric mean over the cells shown; null: there is none; @param cells that it is of */
    public record Summary(Sides.Named candidate, @Nullable Ratio ratio, int cells) {}

    static SidesPage of(Sides sides, List<Sides.Named> choices, String path, Map<String, String> parameters) {
        Query query = new Query(path, kept(sides, parameters));
        List<Comparison.Pair> all = sides.pairs();
        String metric = metric(all, parameters.get("metric"));
        String scenario = parameters.get("scenario");
        List<Row> rows = sides.against().stream()
                .flatMap(against -> against.pairs().stream().map(pair -> new Row(against.candidate(), pair)))
                .filter(row -> row.pair().metric().equals(metric))
                .filter(row -> scenario == null || scenario.equals(row.pair().scenarioKey()))
                .sorted(Comparator.comparing(Row::pair, RatioTable.BY_SIGNIFICANCE))
                .toList();
        List<Sides.Named> candidates =
                sides.against().stream().map(Sides.Against::candidate).toList();
        return new SidesPage(
                query,
                sides.subject(),
                sides.baseline(),
                candidates,
                choices,
                Metrics.all().get(metric),
                tabs(all, query, metric),
                List.of(scenarios(all, query, scenario)),
                Tally.of(all),
                rows,
                candidates.stream().map(candidate -> summary(candidate, rows)).toList(),
                RatioTable.of(
                        Metrics.all().get(metric), rows.stream().map(Row::pair).toList()));
    }

    private static Map<String, String> kept(Sides sides, Map<String, String> parameters) {
        Map<String, String> values = new TreeMap<>(Map.of(
                "axis",
                sides.subject().wire(),
                "a",
                sides.baseline().value(),
                "b",
                sides.against().stream()
                        .map(against -> against.candidate().value())
                        .collect(Collectors.joining(","))));
        for (String name : List.of("scenario", "metric")) {
            String value = parameters.get(name);
            if (value != null) {
                values.put(name, value);
            }
        }
        return values;
    }

    /** What was asked for; else the first that there is. */
    private static String metric(List<Comparison.Pair> pairs, @Nullable String asked) {
        return asked != null && CompareStore.METRICS.contains(asked)
                ? asked
                : pairs.stream()
                        .map(Comparison.Pair::metric)
                        .min(Comparator.comparingInt(CompareStore.METRICS::indexOf))
                        .orElse(CompareStore.METRICS.getFirst());
    }

    private static List<ComparePage.Tab> tabs(List<Comparison.Pair> pairs, Query query, String current) {
        return CompareStore.METRICS.stream()
                .filter(m -> pairs.stream().anyMatch(p -> p.metric().equals(m)))
                .map(m -> new ComparePage.Tab(Metrics.all().get(m), query.with("metric", m), m.equals(current)))
                .toList();
    }

    private static Filter scenarios(List<Comparison.Pair> pairs, Query query, @Nullable String chosen) {
        return new Filter(
                "scenario",
                pairs.stream()
                        .map(Comparison.Pair::scenarioKey)
                        .distinct()
                        .map(key -> new Filter.Choice(
                                Scenario.of(key).words(), query.with("scenario", key), key.equals(chosen)))
                        .toList(),
                query.with("scenario", null));
    }

    private static Summary summary(Sides.Named candidate, List<Row> rows) {
        List<Comparison.Pair> pairs = rows.stream()
                .filter(row -> row.candidate().equals(candidate))
                .map(Row::pair)
                .toList();
        return new Summary(candidate, RatioTable.geometricMean(pairs).orElse(null), RatioTable.withRatio(pairs));
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
        return subject != Subject.SERVER;
    }

    /** Columns before the ratio. */
    public int lead() {
        return 3 + (several() ? 1 : 0) + (namesServer() ? 1 : 0);
    }

    /** Rows differ in the candidate too. */
    public boolean several() {
        return candidates.size() > 1;
    }

    public boolean chosen(Sides.Named choice) {
        return candidates.stream().anyMatch(candidate -> candidate.value().equals(choice.value()));
    }

    @Override
    public String template() {
        return "compare/among.jte";
    }

    @Override
    public @Nullable String fragment() {
        return "compare/_among.jte";
    }
}
