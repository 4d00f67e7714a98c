package dev.loomboard.compare;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.matching.Comparison;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.view.Format;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All verdicts on two builds at a glance: a row for each cell, a column for each metric.
 *
 * @param rows those with a change first, by adjusted p
 * @param left rows that are not here: nothing of them changed, or there are too many
 * @param whole whether rows without a change are here too
 * @param judged whether there is any verdict
 */
public record ChangeMatrix(Query query, List<Metric> metrics, List<Row> rows, int left, boolean whole, boolean judged) {

    static final String PARAMETER = "show";
    static final String ALL = "all";

    /** Rows of a page; a summary of more is none. */
    private static final int MOST = 100;

    /** @param pairs by name of the metric; one that is absent was not measured of both */
    public record Row(Comparison.Cell cell, Map<String, Comparison.Pair> pairs) {

        public ScenarioText scenario() {
            return ScenarioText.of(cell.scenarioKey());
        }

        public Comparison.@Nullable Pair of(Metric metric) {
            return pairs.get(metric.name());
        }

        boolean changed() {
            return pairs.values().stream().anyMatch(ChangeMatrix::changed);
        }

        private double leastP() {
            return pairs.values().stream()
                    .filter(ChangeMatrix::changed)
                    .mapToDouble(Comparison.Pair::adjustedP)
                    .min()
                    .orElse(Double.POSITIVE_INFINITY);
        }
    }

    /** @param all pairs of every metric */
    static ChangeMatrix of(List<Comparison.Pair> all, Query query, boolean whole) {
        Map<List<Object>, Map<String, Comparison.Pair>> cells = new LinkedHashMap<>();
        all.forEach(pair -> cells.computeIfAbsent(key(pair.cell()), key -> new LinkedHashMap<>())
                .put(pair.cell().metric(), pair));
        List<Row> rows = cells.values().stream()
                .map(pairs -> new Row(pairs.values().iterator().next().cell(), pairs))
                .sorted(Comparator.comparingDouble(Row::leastP))
                .toList();
        List<Row> shown =
                rows.stream().filter(row -> whole || row.changed()).limit(MOST).toList();
        return new ChangeMatrix(
                query,
                DeclaredTest.COMPARED.stream()
                        .filter(name -> all.stream()
                                .anyMatch(pair -> pair.cell().metric().equals(name)))
                        .map(name -> Metrics.all().get(name))
                        .toList(),
                shown,
                rows.size() - shown.size(),
                whole,
                all.stream().anyMatch(pair -> pair.verdict() != null));
    }

    private static List<Object> key(Comparison.Cell cell) {
        return List.of(
                cell.scenarioKey(),
                cell.server().label(),
                cell.settings(),
                cell.machine().id(),
                Objects.requireNonNullElse(cell.jdk(), ""));
    }

    private static boolean changed(Comparison.Pair pair) {
        return pair.verdict() != null && pair.verdict().differs();
    }

    /** What a square says: how much where something changed, else the verdict; empty: there is none. */
    public static String words(Comparison.Pair pair) {
        Verdict verdict = pair.verdict();
        Double ratio = pair.estimate().ratio();
        return verdict == null ? "" : changed(pair) && ratio != null ? Format.change(ratio) : verdict.word();
    }

    /** The other of both: all cells, or those alone that changed. */
    public String other() {
        return query.with(PARAMETER, whole ? null : ALL);
    }

    /** Details of a metric. */
    public String details(Metric metric) {
        return query.with("metric", metric.name()) + "#cells";
    }

    /**
     * What changed, as text for a report.
     *
     * @param address of the page
     */
    public String markdown(String title, String address) {
        List<String> lines = new ArrayList<>(List.of(
                "**" + title + "**",
                "",
                "| server | load | metric | change | 95 % interval | verdict |",
                "|---|---|---|---|---|---|"));
        rows.forEach(row -> changes(row).map(pair -> line(row, pair)).forEach(lines::add));
        lines.add("");
        lines.add(address);
        return String.join("\n", lines);
    }

    private static Stream<Comparison.Pair> changes(Row row) {
        return row.pairs().values().stream().filter(ChangeMatrix::changed);
    }

    private static String line(Row row, Comparison.Pair pair) {
        Comparison.Estimate estimate = pair.estimate();
        return "| "
                + String.join(
                        " | ",
                        cell(row.cell().server().name() + " "
                                + row.cell().server().variant()),
                        cell(row.scenario().words()),
                        Metrics.all().get(pair.cell().metric()).title(),
                        estimate.ratio() == null ? "" : Format.change(estimate.ratio()),
                        estimate.low() == null || estimate.high() == null
                                ? ""
                                : Format.change(estimate.low()) + " to " + Format.change(estimate.high()),
                        Objects.requireNonNull(pair.verdict()).word())
                + " |";
    }

    /** A name may have a sign that ends a cell. */
    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
