package dev.loomboard.machine;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.inventory.Qualification;
import dev.loomboard.view.Chart;
import dev.loomboard.view.Format;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** How much a machine's trials of one thing differ, week by week: what stays the same should spread as it always did. */
final class NoiseChart {

    static final List<String> METRICS = List.of("response_p50_ms", "cpu_us_per_request");

    private static final double DAYS = 7;
    private static final int LABELS = 6;

    private NoiseChart() {}

    /**
     * @param week its Monday
     * @param spread median over the week's control cells of the coefficient of variation of their trials
     */
    record Week(LocalDate week, String metric, double spread, int cells) {}

    /** Empty: there is nothing to draw. */
    static Optional<Chart> of(List<Week> weeks, List<Qualification> attempts) {
        Optional<LocalDate> first = Stream.concat(
                        weeks.stream().map(Week::week), attempts.stream().map(NoiseChart::day))
                .min(LocalDate::compareTo);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        LocalDate from = first.get();
        List<Chart.Line> lines = new ArrayList<>();
        METRICS.forEach(metric -> line(
                lines,
                "control cells: " + title(metric),
                weeks.stream()
                        .filter(week -> week.metric().equals(metric))
                        .map(week -> point(
                                from,
                                week.week(),
                                week.spread(),
                                "week of " + week.week() + ", " + Format.of(week.cells(), "cell")))
                        .toList()));
        METRICS.forEach(metric -> line(
                lines,
                "A/A: " + title(metric),
                attempts.stream().flatMap(a -> points(from, a, metric)).toList()));
        Chart chart = new Chart(
                "noise",
                "Noise by week",
                "Coefficient of variation from trial to trial. Control cells (on a fixed build): the median of the"
                        + " cells of a week. A/A qualifications: each cell of each one.",
                Chart.Kind.POINTS,
                new Chart.AxisName("week", null),
                new Chart.AxisName("spread from trial to trial", "%"),
                new Chart.Extent(false, true, null, null),
                labels(from, lines),
                lines,
                Chart.Overlay.NONE);
        return Optional.of(chart).filter(Chart::hasValues);
    }

    private static void line(List<Chart.Line> lines, String name, List<Chart.Point> points) {
        if (!points.isEmpty()) {
            lines.add(new Chart.Line(name, lines.size() + 1, List.of(), points));
        }
    }

    /** Of each cell that was measured. */
    private static Stream<Chart.Point> points(LocalDate from, Qualification attempt, String metric) {
        return attempt.measured().stream()
                .flatMap(cell -> cell.noise().stream()
                        .filter(noise -> noise.metric().equals(metric) && noise.spread() != null)
                        .map(noise -> point(
                                from,
                                day(attempt),
                                Objects.requireNonNull(noise.spread()).value(),
                                "A/A of " + day(attempt)
                                        + (cell.resource() == null
                                                ? ""
                                                : ", " + cell.resource().wire()))));
    }

    private static Chart.Point point(LocalDate from, LocalDate at, double share, String label) {
        double percent = 100 * share;
        return new Chart.Point(place(from, at), percent, null, null, Format.three(percent), label, null);
    }

    private static List<Chart.Label> labels(LocalDate from, List<Chart.Line> lines) {
        double last = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Chart.Point::x)
                .max()
                .orElse(0);
        long step = Math.max(1, (long) Math.ceil(last / LABELS));
        return LongStream.iterate(0, week -> week <= last, week -> week + step)
                .mapToObj(week -> new Chart.Label(week, from.plusWeeks(week).toString()))
                .toList();
    }

    private static double place(LocalDate from, LocalDate at) {
        return ChronoUnit.DAYS.between(from, at) / DAYS;
    }

    private static LocalDate day(Qualification attempt) {
        return attempt.measuredAt().atOffset(ZoneOffset.UTC).toLocalDate();
    }

    private static String title(String metric) {
        return Metrics.all().get(metric).title();
    }
}
