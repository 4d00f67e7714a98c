package dev.loomboard.about;

import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.cell.Standing;
import dev.loomboard.view.Chart;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.Filter;
import dev.loomboard.view.IntervalAxis;
import dev.loomboard.view.MetricReading;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every component of the front end in every state, with invented figures. */
public record PatternsPage(
        List<Row> rows, ColumnFormat scale, IntervalAxis axis, List<Filter> filters, List<Chart> charts)
        implements Page, PageTwin {

    public record Row(
            Standing standing,
            String server,
            String variant,
            ConcurrencyModel model,
            String jdk,
            @Nullable MetricReading p99,
            @Nullable String reason) {}

    static PatternsPage invented() {
        List<Row> rows = List.of(
                new Row(
                        Standing.RANKED,
                        "spring-mvc",
                        "virtual",
                        ConcurrencyModel.VIRTUAL_THREADS,
                        "25.0.3",
                        reading(101.1, 100.9, 101.3),
                        null),
                new Row(
                        Standing.RANKED,
                        "spring-webflux",
                        "reactive",
                        ConcurrencyModel.EVENT_LOOP,
                        "25.0.3",
                        reading(102.4, 102.1, 102.8),
                        null),
                new Row(
                        Standing.RANKED,
                        "spring-mvc",
                        "platform-100",
                        ConcurrencyModel.PLATFORM_THREADS,
                        "25.0.3",
                        reading(106.8, 105.9, 107.8),
                        null),
                new Row(
                        Standing.PROVISIONAL,
                        "helidon",
                        "virtual",
                        ConcurrencyModel.OTHER,
                        "28-ea+18",
                        reading(101.9, null, null),
                        "1 of 10 trials"),
                new Row(
                        Standing.PROVISIONAL,
                        "spring-mvc",
                        "virtual",
                        ConcurrencyModel.VIRTUAL_THREADS,
                        "28-ea+18",
                        new MetricReading(
                                110.2, null, null, false, "36 hits lie beyond this percentile, 100 are needed", null),
                        "1 of 10 trials"),
                new Row(
                        Standing.UNRANKED,
                        "quarkus",
                        "reactive",
                        ConcurrencyModel.EVENT_LOOP,
                        "25.0.3",
                        null,
                        "load generator not valid: lag p99 14 ms"));
        List<@Nullable Double> values = rows.stream()
                .map(Row::p99)
                .flatMap(r -> r == null || !r.eligible()
                        ? java.util.stream.Stream.<@Nullable Double>empty()
                        : Arrays.<@Nullable Double>asList(r.mean(), r.low(), r.high()).stream())
                .toList();
        return new PatternsPage(
                rows,
                ColumnFormat.of("ms", values),
                IntervalAxis.over(values),
                inventedFilters(),
                List.of(overTime(), history()));
    }

    private static MetricReading reading(double mean, @Nullable Double low, @Nullable Double high) {
        return new MetricReading(mean, low, high, true, null, null);
    }

    private static List<Filter> inventedFilters() {
        return List.of(
                new Filter("machine", List.of(new Filter.Choice("bench-01", "#filters", true)), "#filters"),
                new Filter(
                        "JDK",
                        List.of(
                                new Filter.Choice("25.0.3", "#filters", false),
                                new Filter.Choice("28-ea+18", "#filters", false)),
                        "#filters"));
    }

    private static Chart overTime() {
        List<Chart.Point> p50 = List.of(
                Chart.Point.of(1, 100.7),
                Chart.Point.of(2, 100.6),
                Chart.Point.of(3, null),
                Chart.Point.of(4, 100.8),
                Chart.Point.of(5, 100.6));
        List<Chart.Point> p99 = List.of(
                Chart.Point.of(1, 131.0),
                Chart.Point.of(2, 108.0),
                Chart.Point.of(3, null),
                Chart.Point.of(4, 104.1),
                Chart.Point.of(5, 103.9));
        return new Chart(
                "invented-latency",
                "Response time over the trial",
                "Invented. 1 trial; each point is one second; the gap at 3 s was not measured.",
                Chart.Kind.LINE,
                new Chart.AxisName("since the start", "s"),
                new Chart.AxisName("response time", "ms"),
                new Chart.Extent(false, true, null, null),
                List.of(),
                List.of(new Chart.Line("p50", 1, List.of(), p50), new Chart.Line("p99", 2, List.of(5, 3), p99)),
                Chart.Overlay.bands(
                        List.of(new Chart.Band("warmup", 0, 3, false), new Chart.Band("measure", 3, 6, true))));
    }

    private static Chart history() {
        List<Chart.Point> points = List.of(
                new Chart.Point(0, 5.52, 5.46, 5.58, "5.52", "28-ea+16", null),
                new Chart.Point(1, 5.57, 5.50, 5.64, "5.57", "28-ea+17", null),
                new Chart.Point(2, 6.10, 6.02, 6.18, "6.10", "28-ea+18", null));
        return new Chart(
                "invented-history",
                "Response time p99 per JDK build",
                "Invented. 5 trials a point, 95 % intervals. Upright lines: a suspected change, a confirmed one, a note.",
                Chart.Kind.POINTS,
                new Chart.AxisName("JDK build", null),
                new Chart.AxisName("p99", "ms"),
                new Chart.Extent(false, false, -0.5, 2.5),
                List.of(new Chart.Label(0, "28-ea+16"), new Chart.Label(1, "28-ea+17"), new Chart.Label(2, "28-ea+18")),
                List.of(new Chart.Line("JDK 28", 1, List.of(), points)),
                new Chart.Overlay(
                        List.of(),
                        List.of(
                                new Chart.Mark(0.5, "suspect +0.9 %", "muted", List.of(6, 4)),
                                new Chart.Mark(1.5, "confirmed +9.5 %", "bad", List.of()),
                                new Chart.Mark(2, "note 1", "muted", List.of(3, 3))),
                        List.of(),
                        List.of()));
    }

    @Override
    public String template() {
        return "about/patterns.jte";
    }
}
