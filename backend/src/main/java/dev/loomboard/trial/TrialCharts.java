package dev.loomboard.trial;

import dev.loomboard.cell.TrialKind;
import dev.loomboard.measurement.Phase;
import dev.loomboard.view.Chart;
import dev.loomboard.view.Chart.AxisName;
import dev.loomboard.view.Chart.Line;
import dev.loomboard.view.Chart.Point;
import dev.loomboard.view.ScenarioText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The charts of a trial: finished points, the phases as bands, one caption each that says what it is made of. */
final class TrialCharts {

    private static final double MIB = 1 << 20;
    private static final double MILLI = 1000;
    private static final double MINUTE = 60;
    private static final List<Integer> SOLID = List.of();
    private static final List<Integer> DASHED = List.of(6, 4);
    private static final List<Integer> DOTTED = List.of(2, 3);

    private final TrialDetail trial;
    private final List<SampleSeries> samples;
    /** In words, such as "50 connections"; null: the load is open. */
    private final @Nullable String closed;

    private TrialCharts(TrialDetail trial, List<SampleSeries> samples) {
        this.trial = trial;
        this.samples = samples;
        this.closed = ScenarioText.of(trial.setup().scenarioKey()).connectionsInWords();
    }

    private record Wish(String metric, String name, int colour, List<Integer> dash, double factor) {}

    static List<Chart> of(TrialDetail trial, @Nullable PercentileCurve curve) {
        TrialCharts charts = new TrialCharts(trial, trial.measured().samples());
        List<Chart> all = new ArrayList<>();
        all.add(charts.closed == null ? charts.latency() : charts.serviceTime(charts.closed));
        Chart rates = SearchView.of(trial).chart();
        if (rates != null) {
            all.add(rates);
        }
        if (curve != null) {
            all.add(PercentileChart.of(curve));
        }
        all.add(charts.sampled(
                "cpu",
                "CPU of the server",
                "CPU time per second of wall clock",
                "cores",
                new Wish("proc.cpu_user_s", "user", 1, SOLID, 1),
                new Wish("proc.cpu_sys_s", "system", 2, DASHED, 1)));
        all.add(charts.sampled(
                "rss", "Resident memory", "resident", "MiB", new Wish("proc.rss_bytes", "RSS", 1, SOLID, 1 / MIB)));
        all.add(charts.sampled(
                "heap",
                "Heap",
                "heap",
                "MiB",
                new Wish("jvm.heap_used_bytes", "used, live", 1, SOLID, 1 / MIB),
                new Wish("jvm.heap_used_after_gc_bytes", "used after the last GC", 3, DOTTED, 1 / MIB),
                new Wish("jvm.heap_committed_bytes", "committed", 2, DASHED, 1 / MIB)));
        all.add(charts.sampled(
                "threads",
                "Platform threads",
                "threads",
                null,
                new Wish("jvm.threads_live", "live", 1, SOLID, 1),
                new Wish("jvm.threads_daemon", "daemon", 2, DASHED, 1)));
        all.add(charts.sampled(
                "started",
                "Platform threads started",
                "started",
                "1/s",
                new Wish("jvm.threads_started", "started", 1, SOLID, 1)));
        all.add(charts.sampled(
                "safepoints",
                "Safepoint stops",
                "stopped per second",
                "ms",
                new Wish("jvm.safepoint_stop_s", "stopped", 1, SOLID, MILLI),
                new Wish("jvm.safepoint_ttsp_s", "of it, time to safepoint", 2, DASHED, MILLI)));
        all.add(charts.sampled(
                "safepoint-count",
                "Safepoints",
                "safepoints",
                "1/min",
                new Wish("jvm.safepoint_count", "safepoints", 1, SOLID, MINUTE)));
        all.add(charts.sampled(
                "gc", "GC pauses", "paused per second", "ms", new Wish("jvm.gc_pause_s", "paused", 1, SOLID, MILLI)));
        all.add(charts.sampled(
                "gc-count", "GC count", "GCs", "1/min", new Wish("jvm.gc_count", "GCs", 1, SOLID, MINUTE)));
        if (charts.find("database.cpu_s") != null) { // else the agent started none
            all.add(charts.sampled(
                    "database-cpu",
                    "CPU of the database",
                    "CPU time per second of wall clock",
                    "cores",
                    new Wish("database.cpu_s", "all its processes", 1, SOLID, 1)));
            all.add(charts.sampled(
                    "database-memory",
                    "Memory of the database",
                    "resident",
                    "MiB",
                    new Wish("database.memory_bytes", "all its processes", 1, SOLID, 1 / MIB)));
        }
        if (trial.status().kind() == TrialKind.DIAGNOSTIC) {
            all.add(charts.sampled(
                    "contention",
                    "Lock contention (diagnostic trial)",
                    "contended enters",
                    "1/s",
                    new Wish("jvm.monitor_contended_total", "all threads", 1, SOLID, 1),
                    new Wish("jvm.monitor_contended_virtual", "of these, virtual threads", 2, DASHED, 1)));
        }
        if (trial.measured().samplesRemovedAt() != null) {
            all.removeIf(chart -> chart.lines().isEmpty()); // would look like what was never measured
        }
        if (trial.setup().jdk().none()) {
            all.removeIf(chart -> !chart.hasValues()); // one sentence says it of all that only a JVM has
        }
        return all;
    }

    private Chart latency() {
        return latency(
                "Response time over the trial",
                eachPoint()
                        + " of load by intended send time; a gap means that no load was sent, or that too many requests failed to show the percentile",
                "response time",
                TrialDetail.Window::responseP50Ms,
                TrialDetail.Window::responseP99Ms);
    }

    private Chart serviceTime(String at) {
        return latency(
                "Service time at " + at + ", over the trial",
                eachPoint()
                        + " of load by actual send; a gap means that too many requests failed to show the percentile; there is no response time, because closed load has no intended send times",
                "service time",
                TrialDetail.Window::serviceP50Ms,
                TrialDetail.Window::serviceP99Ms);
    }

    private String eachPoint() {
        return trial.measured().windows().stream()
                .filter(window -> window.merged() > 1)
                .findFirst()
                .map(window -> "each point is the highest of " + window.merged() + " seconds")
                .orElse("each point is one second");
    }

    private Chart latency(
            String title,
            String source,
            String axis,
            Function<TrialDetail.Window, @Nullable Double> p50,
            Function<TrialDetail.Window, @Nullable Double> p99) {
        List<TrialDetail.Window> windows = trial.measured().windows();
        return new Chart(
                "latency",
                title,
                caption(source),
                Chart.Kind.LINE,
                new AxisName("since the trial's start", "s"),
                new AxisName(axis, "ms"),
                new Chart.Extent(false, true, 0.0, end()),
                List.of(),
                List.of(line("p50", 1, SOLID, windows, p50), line("p99", 2, DASHED, windows, p99)),
                Chart.Overlay.bands(bands()));
    }

    /** Gaps where seconds without load lie between windows, so that no line is drawn over them. */
    private static Line line(
            String name,
            int colour,
            List<Integer> dash,
            List<TrialDetail.Window> windows,
            Function<TrialDetail.Window, @Nullable Double> value) {
        List<Point> points = new ArrayList<>();
        double before = Double.NaN;
        for (TrialDetail.Window window : windows) {
            if (window.seconds() - before > window.merged() + 0.5) {
                points.add(Point.of(before + 1, null));
            }
            points.add(Point.of(window.seconds(), value.apply(window)));
            before = window.seconds();
        }
        return new Line(name, colour, dash, points);
    }

    private Chart sampled(String id, String title, String axis, @Nullable String unit, Wish... wishes) {
        List<Line> lines = new ArrayList<>();
        int merged = 1;
        for (Wish wish : wishes) {
            SampleSeries series = find(wish.metric());
            if (series != null) {
                merged = Math.max(merged, series.merged());
                lines.add(line(wish, series));
            }
        }
        String source = merged > 1 ? "thinned, " + merged + " readings a point" : "every reading";
        return new Chart(
                id,
                title,
                caption(source),
                Chart.Kind.LINE,
                new AxisName("since the trial's start", "s"),
                new AxisName(axis, unit),
                new Chart.Extent(false, true, 0.0, end()),
                List.of(),
                lines,
                Chart.Overlay.bands(bands()));
    }

    private static Line line(Wish wish, SampleSeries series) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < series.seconds().size(); i++) {
            Double value = series.values().get(i);
            points.add(Point.of(series.seconds().get(i), value == null ? null : Double.valueOf(value * wish.factor())));
        }
        return new Line(wish.name(), wish.colour(), wish.dash(), points);
    }

    private @Nullable SampleSeries find(String metric) {
        return samples.stream()
                .filter(s -> s.metric().equals(metric))
                .findFirst()
                .orElse(null);
    }

    private String caption(String source) {
        return "1 trial, so no spread; " + source + ".";
    }

    private List<Chart.Band> bands() {
        List<Chart.Band> bands = new ArrayList<>();
        List<TrialDetail.PhaseEntry> phases = trial.measured().phases();
        for (int i = 0; i < phases.size(); i++) {
            double to = i + 1 < phases.size() ? phases.get(i + 1).seconds() : end();
            bands.add(new Chart.Band(
                    phases.get(i).phase().words(),
                    phases.get(i).seconds(),
                    Math.max(to, phases.get(i).seconds()),
                    phases.get(i).phase() == Phase.MEASURE));
        }
        return bands;
    }

    private double end() {
        double phases = trial.measured().phases().stream()
                .mapToDouble(TrialDetail.PhaseEntry::seconds)
                .max()
                .orElse(0);
        double ticks = samples.stream()
                .flatMap(s -> s.seconds().stream())
                .mapToDouble(d -> d)
                .max()
                .orElse(0);
        return Math.max(1, Math.ceil(Math.max(phases, ticks)));
    }
}
