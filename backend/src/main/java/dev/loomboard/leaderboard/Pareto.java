package dev.loomboard.leaderboard;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.view.Chart;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.ConcurrencyBadge;
import dev.loomboard.view.Filter;
import dev.loomboard.view.Format;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Latency against what it costs, of one group of rows. The frontier is that of all its rows, also of those a filter hides.
 *
 * @param rows those that have both, in order of cost; only those the filters let through
 * @param absent names of those that lack one of them
 */
public record Pareto(
        String title,
        Axes axes,
        ColumnFormat latency,
        ColumnFormat cost,
        Chart chart,
        List<Row> rows,
        List<String> absent) {

    /** In the order of the charts' colours. */
    private static final List<ConcurrencyBadge> COLOURS = List.of(
            ConcurrencyBadge.VIRTUAL, ConcurrencyBadge.PLATFORM, ConcurrencyBadge.EVENT_LOOP, ConcurrencyBadge.OTHER);

    private static final int FRONTIER = 5;

    /** Of a chart's line. */
    static int colour(Entry entry) {
        return 1 + COLOURS.indexOf(ConcurrencyBadge.of(entry.server().model()));
    }

    /** What a server may cost, by the words for it. */
    private static final Map<String, String> COSTS = costs();

    /**
     * Metrics of the axes; of each less is better.
     *
     * @param latency of the upright one
     * @param cost of the other
     */
    public record Axes(String latency, String cost) {

        /** As asked for, where that is an axis. */
        static Axes of(BoardQuery choices, ScenarioText scenario, @Nullable String headline) {
            String usual =
                    headline != null && latencies(scenario).contains(headline) ? headline : BoardColumn.usual(scenario);
            String upright = choices.upright();
            String across = choices.across();
            return new Axes(
                    upright != null && latencies(scenario).contains(upright) ? upright : usual,
                    across != null && COSTS.containsKey(across) ? across : BoardColumn.RSS);
        }

        private static List<String> latencies(ScenarioText scenario) {
            return scenario.closed()
                    ? List.of(BoardColumn.SERVICE_P50, BoardColumn.SERVICE_P99, BoardColumn.SERVICE_P999)
                    : List.of(
                            BoardColumn.P50,
                            BoardColumn.P99,
                            BoardColumn.P999,
                            BoardColumn.EXCESS_P50,
                            BoardColumn.EXCESS_P99);
        }

        /** Of the upright axis, those that a row has. */
        List<Filter.Choice> latencies(Query query, ScenarioText scenario, List<Entry> rows) {
            return choices(
                    query,
                    BoardQuery.UPRIGHT,
                    latency,
                    latencies(scenario).stream()
                            .filter(metric -> measured(metric, rows))
                            .collect(Collectors.toMap(
                                    metric -> metric,
                                    metric -> Metrics.all().get(metric).title(),
                                    (a, b) -> a,
                                    LinkedHashMap::new)));
        }

        /** The same of the other. */
        List<Filter.Choice> costs(Query query, List<Entry> rows) {
            Map<String, String> measured = new LinkedHashMap<>(COSTS);
            measured.keySet().removeIf(metric -> !measured(metric, rows));
            return choices(query, BoardQuery.ACROSS, cost, measured);
        }

        private static boolean measured(String metric, List<Entry> rows) {
            return rows.stream().anyMatch(row -> judged(row, metric) != null);
        }

        /** Empty: there is nothing to choose. */
        private static List<Filter.Choice> choices(
                Query query, String parameter, String chosen, Map<String, String> words) {
            return words.size() < 2
                    ? List.of()
                    : words.entrySet().stream()
                            .map(word -> new Filter.Choice(
                                    word.getValue(),
                                    query.with(parameter, word.getKey()),
                                    word.getKey().equals(chosen)))
                            .toList();
        }

        private String title() {
            return Metrics.all().get(latency).title() + " against " + COSTS.get(cost);
        }
    }

    private static Map<String, String> costs() {
        Map<String, String> costs = new LinkedHashMap<>();
        costs.put(BoardColumn.RSS, "memory");
        costs.put(BoardColumn.CPU, "CPU per request");
        costs.put(BoardColumn.STARTUP, "start-up");
        return costs;
    }

    /**
     * @param beaten "on the frontier", or by whom it is beaten in both
     * @param frontier whether on it
     */
    public record Row(Entry entry, MetricReading latency, MetricReading cost, boolean frontier, String beaten) {

        private Spot twin() {
            return new Spot(entry.name(), entry.source().cell(), latency, cost, frontier, beaten);
        }
    }

    /**
     * What programs read of a row.
     *
     * @param cell external id
     */
    record Spot(String name, String cell, MetricReading latency, MetricReading cost, boolean frontier, String beaten) {}

    /** What programs read of it. */
    record Twin(String title, Axes axes, List<Spot> rows, List<String> absent) {}

    Twin twin() {
        return new Twin(title, axes, rows.stream().map(Row::twin).toList(), absent);
    }

    static List<Pareto> of(Axes axes, List<Entry> all, List<LeaderboardPage.Group> shown) {
        List<Pareto> charts = new ArrayList<>();
        for (LeaderboardPage.Group group : shown) {
            if (group.stand().comparable()) {
                charts.add(of(charts.size(), axes, group, all));
            }
        }
        return charts;
    }

    private static Pareto of(int index, Axes axes, LeaderboardPage.Group group, List<Entry> all) {
        Entry any = group.rows().getFirst();
        List<Entry> together = all.stream()
                .filter(e -> e.standing() == group.standing() && e.board().equals(any.board()))
                .toList();
        List<Row> rows = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        for (Entry entry : group.rows()) {
            MetricReading latency = judged(entry, axes.latency());
            MetricReading cost = judged(entry, axes.cost());
            if (latency == null || cost == null) {
                absent.add(entry.name());
            } else {
                rows.add(row(entry, latency, cost, axes, together));
            }
        }
        rows.sort(Comparator.comparingDouble(row -> row.cost().mean()));
        ColumnFormat latency =
                scale(axes.latency(), rows.stream().map(Row::latency).toList());
        ColumnFormat cost = scale(axes.cost(), rows.stream().map(Row::cost).toList());
        String title = axes.title() + ", " + group.words();
        return new Pareto(title, axes, latency, cost, chart(index, title, axes, latency, cost, rows), rows, absent);
    }

    private static @Nullable MetricReading judged(Entry entry, String metric) {
        MetricReading reading = entry.reading(metric);
        return reading == null || !reading.eligible() ? null : reading;
    }

    private static Row row(Entry entry, MetricReading latency, MetricReading cost, Axes axes, List<Entry> together) {
        Entry by = null;
        boolean surely = false;
        for (Entry other : together) {
            MetricReading l = judged(other, axes.latency());
            MetricReading c = judged(other, axes.cost());
            if (l != null && c != null && beats(l, c, latency, cost)) {
                boolean clear = clear(l, latency) && clear(c, cost);
                by = by == null || clear && !surely ? other : by;
                surely |= clear;
            }
        }
        String words = by == null
                ? "on the frontier"
                : surely ? "beaten by " + by.name() : "not distinguishable from " + by.name();
        return new Row(entry, latency, cost, by == null, words);
    }

    /** No worse in either, better in one. */
    private static boolean beats(
            MetricReading latency, MetricReading cost, MetricReading thanLatency, MetricReading thanCost) {
        return latency.mean() <= thanLatency.mean()
                && cost.mean() <= thanCost.mean()
                && (latency.mean() < thanLatency.mean() || cost.mean() < thanCost.mean());
    }

    /** The whole interval is lower; one trial has none, so nothing is clear. */
    private static boolean clear(MetricReading lower, MetricReading than) {
        return lower.high() != null && than.low() != null && lower.high() < than.low();
    }

    private static ColumnFormat scale(String metric, List<MetricReading> readings) {
        return ColumnFormat.of(
                Metrics.all().get(metric).unit(),
                readings.stream().map(MetricReading::mean).toList());
    }

    private static Chart chart(
            int index, String title, Axes axes, ColumnFormat latency, ColumnFormat cost, List<Row> rows) {
        List<Chart.Line> lines = new ArrayList<>();
        for (ConcurrencyBadge model : COLOURS) {
            List<Chart.Point> points = rows.stream()
                    .filter(row -> ConcurrencyBadge.of(row.entry().server().model()) == model)
                    .map(row -> point(row, latency, cost))
                    .toList();
            if (!points.isEmpty()) {
                lines.add(new Chart.Line(model.words(), 1 + COLOURS.indexOf(model), List.of(), points));
            }
        }
        List<Chart.Point> frontier = rows.stream()
                .filter(Row::frontier)
                .map(row -> bare(row, latency, cost))
                .toList();
        if (frontier.size() > 1) {
            lines.add(new Chart.Line("frontier", FRONTIER, List.of(4, 3), frontier));
        }
        String caption = Format.of(rows.size(), "row")
                + "; lower left is better; the axes do not start at 0. The frontier connects the rows that no other row of "
                + "the group beats in both. Bars: 95" + Format.THIN
                + "% intervals of latency; one trial has no interval.";
        return new Chart(
                "pareto-" + index,
                title,
                caption,
                Chart.Kind.SCATTER,
                new Chart.AxisName(Metrics.all().get(axes.cost()).title(), cost.unit()),
                new Chart.AxisName("Latency", latency.unit()),
                new Chart.Extent(false, false, null, null),
                List.of(),
                lines,
                Chart.Overlay.NONE);
    }

    /** Its interval is drawn where the row itself is. */
    private static Chart.Point bare(Row row, ColumnFormat latency, ColumnFormat cost) {
        Chart.Point point = point(row, latency, cost);
        return new Chart.Point(point.x(), point.y(), null, null, point.text(), point.label(), null);
    }

    private static Chart.Point point(Row row, ColumnFormat latency, ColumnFormat cost) {
        MetricReading reading = row.latency();
        return new Chart.Point(
                row.cost().mean() * cost.factor(),
                reading.mean() * latency.factor(),
                scaled(reading.low(), latency),
                scaled(reading.high(), latency),
                latency.text(reading.mean()),
                row.entry().name(),
                null);
    }

    private static @Nullable Double scaled(@Nullable Double value, ColumnFormat scale) {
        return value == null ? null : (Double) (value * scale.factor());
    }
}
