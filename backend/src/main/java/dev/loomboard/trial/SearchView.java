package dev.loomboard.trial;

import dev.loomboard.measurement.SearchEnd;
import dev.loomboard.measurement.Validity;
import dev.loomboard.rollup.StepPercentiles;
import dev.loomboard.view.Chart;
import dev.loomboard.view.Chart.AxisName;
import dev.loomboard.view.Chart.Line;
import dev.loomboard.view.Chart.Point;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a trial of several rates shows by rate: each step with its verdict, and what a search made of them.
 *
 * @param found null: the load was no search, or has not ended
 */
public record SearchView(List<Row> rows, @Nullable SearchEnd found) {

    private static final double NANOS_PER_MS = 1e6;

    public SearchView {
        rows = List.copyOf(rows);
    }

    /**
     * @param judged null: there was no search
     * @param sound whether it says something about the rate
     */
    public record Row(
            TrialDetail.Step step,
            @Nullable Double p50Ms,
            @Nullable Double p99Ms,
            SearchEnd.@Nullable Step judged,
            boolean sound) {}

    /** Empty rows: the trial has a single rate. */
    static SearchView of(TrialDetail trial) {
        List<TrialDetail.Step> steps = trial.measured().steps();
        if (steps.size() < 2) {
            return new SearchView(List.of(), null);
        }
        SearchEnd search = trial.facts().endFacts().read().search();
        return new SearchView(
                steps.stream()
                        .map(step -> row(
                                step,
                                search != null
                                                && step.ordinal()
                                                        < search.steps().size()
                                        ? search.steps().get(step.ordinal())
                                        : null))
                        .toList(),
                search);
    }

    private static Row row(TrialDetail.Step step, SearchEnd.@Nullable Step judged) {
        // Beyond what a server can do, its response time says how long the step was.
        boolean sound = judged == null
                ? step.validity() == Validity.VALID
                        && step.judged().cause() == null
                        && step.hits().completed() == step.hits().offered()
                : judged.verdict() == SearchEnd.Verdict.PASS;
        return new Row(step, millis(step, "p50"), millis(step, "p99"), judged, sound);
    }

    /** In words; null: the load was no search. */
    public @Nullable String objective() {
        if (found == null) {
            return null;
        }
        SearchEnd.Objective asked = found.objective();
        return Format.percentile(asked.quantile()) + " of response time ≤ " + Format.three(asked.responseMs())
                + " ms, success ≥ " + Format.percent(asked.success()) + ", answered ≥ "
                + Format.percent(asked.achieved()) + " of the rate";
    }

    /** Response time by rate; null: there is only one rate that says anything. */
    @Nullable
    Chart chart() {
        TreeMap<Double, Row> byRate = new TreeMap<>();
        for (Row row : rows) {
            Double rate = row.step().rate();
            if (row.sound() && rate != null) {
                byRate.put(rate, row); // the last of equal ones
            }
        }
        if (byRate.size() < 2) {
            return null;
        }
        List<Line> lines = new ArrayList<>(List.of(
                line("p50", 1, List.of(), byRate, Row::p50Ms), line("p99", 2, List.of(6, 4), byRate, Row::p99Ms)));
        if (found != null) {
            double limit = found.objective().responseMs();
            lines.add(line("objective", 5, List.of(2, 3), byRate, row -> limit));
        }
        return new Chart(
                "rates",
                "Response time by rate",
                "1 trial, " + rows.size()
                        + " steps. Steps that did not answer all offered requests are left out, because their response time depends on the length of the step. Of equal rates the last step is drawn.",
                Chart.Kind.POINTS,
                new AxisName("offered rate", "1/s"),
                new AxisName("response time", "ms"),
                new Chart.Extent(false, true, 0.0, null),
                List.of(),
                lines,
                Chart.Overlay.NONE);
    }

    private static Line line(
            String name,
            int colour,
            List<Integer> dash,
            Map<Double, Row> byRate,
            Function<Row, @Nullable Double> value) {
        List<Point> points = new ArrayList<>();
        byRate.forEach((rate, row) -> points.add(Point.of(rate, value.apply(row))));
        return new Line(name, colour, dash, points);
    }

    private static @Nullable Double millis(TrialDetail.Step step, String quantile) {
        StepPercentiles.Value value = step.percentiles().response().get(quantile);
        return value == null ? null : value.nanos() / NANOS_PER_MS;
    }
}
