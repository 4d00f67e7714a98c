package dev.loomboard.leaderboard;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.view.Chart;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.ConcurrencyBadge;
import dev.loomboard.view.Format;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.ScenarioText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Latency against memory of one group of rows. The frontier is that of all its rows, also of those a filter hides.
 *
 * @param reading the metric of latency
 * @param rows those that have both, in order of memory; only those the filters let through
 * @param absent names of those that lack one of them
 */
public record Pareto(
        String title,
        String reading,
        ColumnFormat latency,
        ColumnFormat memory,
        Chart chart,
        List<Row> rows,
        List<String> absent) {

    /** In the order of the charts' colours. */
    private static final List<ConcurrencyBadge> COLOURS = List.of(
            ConcurrencyBadge.VIRTUAL, ConcurrencyBadge.PLATFORM, ConcurrencyBadge.EVENT_LOOP, ConcurrencyBadge.OTHER);

    private static final int FRONTIER = 5;

    /**
     * @param beaten "on the frontier", or by whom it is beaten in both
     * @param frontier whether on it
     */
    public record Row(Entry entry, MetricReading latency, MetricReading memory, boolean frontier, String beaten) {

        private Spot twin() {
            return new Spot(entry.name(), entry.source().cell(), latency, memory, frontier, beaten);
        }
    }

    /**
     * What programs read of a row.
     *
     * @param cell external id
     */
    record Spot(
            String name, String cell, MetricReading latency, MetricReading memory, boolean frontier, String beaten) {}

    /** What programs read of it. */
    record Twin(String title, String reading, List<Spot> rows, List<String> absent) {}

    Twin twin() {
        return new Twin(title, reading, rows.stream().map(Row::twin).toList(), absent);
    }

    static List<Pareto> of(
            ScenarioText scenario, @Nullable String headline, List<Entry> all, List<LeaderboardPage.Group> shown) {
        String metric = headline != null && headline.startsWith("response_")
                ? headline
                : scenario.closed() ? BoardColumn.SERVICE_P50 : BoardColumn.P50;
        List<Pareto> charts = new ArrayList<>();
        for (LeaderboardPage.Group group : shown) {
            if (group.stand().comparable()) {
                charts.add(of(charts.size(), metric, group, all));
            }
        }
        return charts;
    }

    private static Pareto of(int index, String metric, LeaderboardPage.Group group, List<Entry> all) {
        Entry any = group.rows().getFirst();
        List<Entry> together = all.stream()
                .filter(e -> e.standing() == group.standing() && e.board().equals(any.board()))
                .toList();
        List<Row> rows = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        for (Entry entry : group.rows()) {
            MetricReading latency = judged(entry, metric);
            MetricReading memory = judged(entry, BoardColumn.RSS);
            if (latency == null || memory == null) {
                absent.add(entry.name());
            } else {
                rows.add(row(entry, latency, memory, metric, together));
            }
        }
        rows.sort(Comparator.comparingDouble(row -> row.memory().mean()));
        ColumnFormat latency = scale(metric, rows.stream().map(Row::latency).toList());
        ColumnFormat memory =
                scale(BoardColumn.RSS, rows.stream().map(Row::memory).toList());
        String title = Metrics.all().get(metric).title() + " against memory, " + group.words();
        return new Pareto(title, metric, latency, memory, chart(index, title, latency, rows), rows, absent);
    }

    private static @Nullable MetricReading judged(Entry entry, String metric) {
        MetricReading reading = entry.reading(metric);
        return reading == null || !reading.eligible() ? null : reading;
    }

    private static Row row(
            Entry entry, MetricReading latency, MetricReading memory, String metric, List<Entry> together) {
        Entry by = null;
        boolean surely = false;
        for (Entry other : together) {
            MetricReading l = judged(other, metric);
            MetricReading m = judged(other, BoardColumn.RSS);
            if (l != null && m != null && beats(l, m, latency, memory)) {
                boolean clear = clear(l, latency) && clear(m, memory);
                by = by == null || clear && !surely ? other : by;
                surely |= clear;
            }
        }
        String words = by == null
                ? "on the frontier"
                : surely ? "beaten by " + by.name() : "not distinguishable from " + by.name();
        return new Row(entry, latency, memory, by == null, words);
    }

    /** No worse in either, better in one. */
    private static boolean beats(
            MetricReading latency, MetricReading memory, MetricReading thanLatency, MetricReading thanMemory) {
        return latency.mean() <= thanLatency.mean()
                && memory.mean() <= thanMemory.mean()
                && (latency.mean() < thanLatency.mean() || memory.mean() < thanMemory.mean());
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

    private static Chart chart(int index, String title, ColumnFormat latency, List<Row> rows) {
        List<Chart.Line> lines = new ArrayList<>();
        for (ConcurrencyBadge model : COLOURS) {
            List<Chart.Point> points = rows.stream()
                    .filter(row -> ConcurrencyBadge.of(row.entry().server().model()) == model)
                    .map(row -> point(row, latency))
                    .toList();
            if (!points.isEmpty()) {
                lines.add(new Chart.Line(model.words(), 1 + COLOURS.indexOf(model), List.of(), points));
            }
        }
        List<Chart.Point> frontier = rows.stream()
                .filter(Row::frontier)
                .map(row -> bare(row, latency))
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
                new Chart.AxisName("Resident memory, peak", "MiB"),
                new Chart.AxisName("Latency", latency.unit()),
                new Chart.Extent(false, false, null, null),
                List.of(),
                lines,
                List.of(),
                List.of());
    }

    /** Its interval is drawn where the row itself is. */
    private static Chart.Point bare(Row row, ColumnFormat scale) {
        Chart.Point point = point(row, scale);
        return new Chart.Point(point.x(), point.y(), null, null, point.text(), point.label(), null);
    }

    private static Chart.Point point(Row row, ColumnFormat scale) {
        MetricReading latency = row.latency();
        return new Chart.Point(
                row.memory().mean(),
                latency.mean() * scale.factor(),
                scaled(latency.low(), scale),
                scaled(latency.high(), scale),
                scale.text(latency.mean()),
                row.entry().name(),
                null);
    }

    private static @Nullable Double scaled(@Nullable Double value, ColumnFormat scale) {
        return value == null ? null : (Double) (value * scale.factor());
    }
}
