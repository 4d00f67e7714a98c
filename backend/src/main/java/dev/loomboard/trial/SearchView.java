package dev.loomboard.trial;

import dev.loomboard.measurement.StepPercentiles;
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
import tools.jackson.databind.JsonNode;

/**
 * What a trial of several rates shows by rate: each step with its verdict, and what a search made of them.
 *
 * @param found null: the load was no search, or has not ended
 */
public record SearchView(List<Row> rows, @Nullable Found found) {

    private static final double NANOS_PER_MS = 1e6;

    public SearchView {
        rows = List.copyOf(rows);
    }

    /** @param role why the step was made; null, as the verdict: there was no search; @param sound it tells of the rate */
    public record Row(
            TrialDetail.Step step,
            @Nullable Double p50Ms,
            @Nullable Double p99Ms,
            @Nullable String role,
            @Nullable String verdict,
            boolean retry,
            @Nullable String reason,
            boolean sound) {}

    /**
     * Not ingest's SearchEnd, though it resembles it: that refuses what the wire does not allow today, this shows what
     * was stored by any version.
     *
     * @param objective in words; @param bound highest rate at an excess, null: none; null rates: nothing bounds them
     */
    public record Found(
            String objective,
            double responseMs,
            @Nullable Double maxRate,
            @Nullable Double lowRate,
            @Nullable Double highRate,
            boolean confirmed,
            boolean resolved,
            String why,
            @Nullable Double criticalRate,
            List<Bound> bounds) {}

    public record Bound(double excessMs, @Nullable Double rate) {}

    /** Empty rows: the trial has a single rate. */
    static SearchView of(TrialDetail trial) {
        if (trial.steps().size() < 2) {
            return new SearchView(List.of(), null);
        }
        JsonNode search = trial.endFacts().path("search");
        return new SearchView(
                trial.steps().stream()
                        .map(step -> row(step, search.path("steps").path(step.ordinal())))
                        .toList(),
                search.isObject() ? found(search) : null);
    }

    private static Row row(TrialDetail.Step step, JsonNode judged) {
        String verdict = text(judged.path("verdict"));
        // Beyond what a server can do, its response time says how long the step was.
        boolean sound = verdict == null
                ? step.validity().equals("valid") && step.cause() == null && step.completed() == step.offered()
                : verdict.equals("pass");
        return new Row(
                step,
                millis(step, "p50"),
                millis(step, "p99"),
                text(judged.path("role")),
                verdict,
                judged.path("retry").asBoolean(),
                text(judged.path("reason")),
                sound);
    }

    private static Found found(JsonNode search) {
        JsonNode objective = search.path("objective");
        double responseMs = objective.path("responseMs").asDouble();
        List<Bound> bounds = new ArrayList<>();
        search.path("bounds")
                .forEach(b -> bounds.add(new Bound(b.path("excessMs").asDouble(), rate(b.path("rate")))));
        return new Found(
                Format.percentile(objective.path("quantile").asDouble()) + " of response time ≤ "
                        + Format.three(responseMs) + " ms, success ≥ "
                        + Format.percent(objective.path("success").asDouble()) + ", answered ≥ "
                        + Format.percent(objective.path("achieved").asDouble()) + " of the rate",
                responseMs,
                rate(search.path("maxRate")),
                rate(search.path("lowRate")),
                rate(search.path("highRate")),
                search.path("confirmed").asBoolean(),
                search.path("resolved").asBoolean(),
                search.path("why").asString(),
                rate(search.path("criticalRate")),
                List.copyOf(bounds));
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
            double limit = found.responseMs();
            lines.add(line("objective", 5, List.of(2, 3), byRate, row -> limit));
        }
        return new Chart(
                "rates",
                "Response time by rate",
                "1 trial, " + rows.size()
                        + " steps; steps that did not answer what was offered are left out: there the response time says how long the step was. Of equal rates the last step.",
                "points",
                new AxisName("offered rate", "1/s"),
                new AxisName("response time", "ms"),
                false,
                true,
                0.0,
                null,
                List.of(),
                lines,
                List.of());
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

    private static @Nullable Double rate(JsonNode node) {
        return node.isNumber() ? node.asDouble() : null;
    }

    private static @Nullable String text(JsonNode node) {
        return node.isString() ? node.asString() : null;
    }
}
