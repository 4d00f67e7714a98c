package dev.loomboard.leaderboard;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.show.Chart;
import dev.loomboard.show.Figures;
import dev.loomboard.show.Model;
import dev.loomboard.show.Reading;
import dev.loomboard.show.Scale;
import dev.loomboard.show.Scenario;
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
        @JsonIgnore Scale latency,
        @JsonIgnore Scale memory,
        @JsonIgnore Chart chart,
        List<Row> rows,
        List<String> absent) {

    /** In the order of the charts' colours. */
    private static final List<Model> COLOURS = List.of(Model.VIRTUAL, Model.PLATFORM, Model.EVENT_LOOP, Model.OTHER);

    private static final int FRONTIER = 5;

    /** @param beaten "on the frontier", or by whom it is beaten in both; @param frontier whether on it */
    public record Row(
            @JsonIgnore Entry entry,
            String name,
            String cell,
            Reading latency,
            Reading memory,
            boolean frontier,
            String beaten) {}

    static List<Pareto> of(
            Scenario scenario, @Nullable String headline, List<Entry> all, List<LeaderboardPage.Group> shown) {
        String metric = headline != null && headline.startsWith("response_")
                ? headline
                : scenario.closed() ? Column.SERVICE_P50 : Column.P50;
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
                .filter(e -> e.standing().equals(group.standing()) && e.board().equals(any.board()))
                .toList();
        List<Row> rows = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        for (Entry entry : group.rows()) {
            Reading latency = judged(entry, metric);
            Reading memory = judged(entry, Column.RSS);
            if (latency == null || memory == null) {
                absent.add(entry.name());
            } else {
                rows.add(row(entry, latency, memory, metric, together));
            }
        }
        rows.sort(Comparator.comparingDouble(row -> row.memory().mean()));
        Scale latency = scale(metric, rows.stream().map(Row::latency).toList());
        Scale memory = scale(Column.RSS, rows.stream().map(Row::memory).toList());
        String title = Metrics.all().get(metric).title() + " against memory, " + group.words();
        return new Pareto(title, metric, latency, memory, chart(index, title, latency, rows), rows, absent);
    }

    private static @Nullable Reading judged(Entry entry, String metric) {
        Reading reading = entry.reading(metric);
        return reading == null || !reading.eligible() ? null : reading;
    }

    private static Row row(Entry entry, Reading latency, Reading memory, String metric, List<Entry> together) {
        Entry by = null;
        boolean surely = false;
        for (Entry other : together) {
            Reading l = judged(other, metric);
            Reading m = judged(other, Column.RSS);
            if (l != null && m != null && beats(l, m, latency, memory)) {
                boolean clear = clear(l, latency) && clear(m, memory);
                by = by == null || clear && !surely ? other : by;
                surely |= clear;
            }
        }
        String words = by == null
                ? "on the frontier"
                : surely ? "beaten by " + by.name() : "perhaps beaten by " + by.name() + ": their intervals overlap";
        return new Row(entry, entry.name(), entry.cell(), latency, memory, by == null, words);
    }

    /** No worse in either, better in one. */
    private static boolean beats(Reading latency, Reading memory, Reading thanLatency, Reading thanMemory) {
        return latency.mean() <= thanLatency.mean()
                && memory.mean() <= thanMemory.mean()
                && (latency.mean() < thanLatency.mean() || memory.mean() < thanMemory.mean());
    }

    /** The whole interval is lower; one trial has none, so nothing is clear. */
    private static boolean clear(Reading lower, Reading than) {
        return lower.high() != null && than.low() != null && lower.high() < than.low();
    }

    private static Scale scale(String metric, List<Reading> readings) {
        return Scale.of(
                Metrics.all().get(metric).unit(),
                readings.stream().map(Reading::mean).toList());
    }

    private static Chart chart(int index, String title, Scale latency, List<Row> rows) {
        List<Chart.Line> lines = new ArrayList<>();
        for (Model model : COLOURS) {
            List<Chart.Point> points = rows.stream()
                    .filter(row -> Model.of(row.entry().concurrencyModel()) == model)
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
        String caption = Figures.of(rows.size(), "row")
                + "; left and down is better; neither axis starts at 0. The frontier joins what no other row of "
                + "the group beats in both. Strokes: 95" + Figures.THIN + "% intervals of latency; one trial has none.";
        return new Chart(
                "pareto-" + index,
                title,
                caption,
                "scatter",
                new Chart.AxisName("Resident memory, highest", "MiB"),
                new Chart.AxisName("Latency", latency.unit()),
                false,
                false,
                null,
                null,
                List.of(),
                lines,
                List.of());
    }

    /** Its interval is drawn where the row itself is. */
    private static Chart.Point bare(Row row, Scale scale) {
        Chart.Point point = point(row, scale);
        return new Chart.Point(point.x(), point.y(), null, null, point.text(), point.label(), null);
    }

    private static Chart.Point point(Row row, Scale scale) {
        Reading latency = row.latency();
        return new Chart.Point(
                row.memory().mean(),
                latency.mean() * scale.factor(),
                scaled(latency.low(), scale),
                scaled(latency.high(), scale),
                scale.text(latency.mean()),
                row.entry().name(),
                null);
    }

    private static @Nullable Double scaled(@Nullable Double value, Scale scale) {
        return value == null ? null : (Double) (value * scale.factor());
    }
}
