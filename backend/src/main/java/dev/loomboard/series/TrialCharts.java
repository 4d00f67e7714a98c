package dev.loomboard.series;

import dev.loomboard.show.Chart;
import dev.loomboard.show.Chart.AxisName;
import dev.loomboard.show.Chart.Line;
import dev.loomboard.show.Chart.Point;
import dev.loomboard.show.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The charts of a trial: finished points, the phases as bands, one caption each that says what it is made of. */
final class TrialCharts {

    private static final double MIB = 1 << 20;
    private static final double MILLI = 1000;
    private static final double MINUTE = 60;
    private static final long HITS_BEYOND = 100;
    private static final List<Integer> SOLID = List.of();
    private static final List<Integer> DASHED = List.of(6, 4);
    private static final List<Integer> DOTTED = List.of(2, 3);

    private final TrialDetail trial;
    private final List<SampleSeries> samples;

    private TrialCharts(TrialDetail trial, List<SampleSeries> samples) {
        this.trial = trial;
        this.samples = samples;
    }

    private record Wish(String metric, String name, int colour, List<Integer> dash, double factor) {}

    static List<Chart> of(TrialDetail trial, @Nullable PercentileCurve curve) {
        TrialCharts charts = new TrialCharts(trial, trial.samples());
        List<Chart> all = new ArrayList<>();
        all.add(charts.latency());
        Chart rates = SearchView.of(trial).chart();
        if (rates != null) {
            all.add(rates);
        }
        if (curve != null) {
            all.add(percentiles(curve));
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
                new Wish("jvm.heap_used_after_gc_bytes", "used after the last collection", 3, DOTTED, 1 / MIB),
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
                "Stopped for safepoints",
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
                "gc",
                "Paused by collections",
                "paused per second",
                "ms",
                new Wish("jvm.gc_pause_s", "paused", 1, SOLID, MILLI)));
        all.add(charts.sampled(
                "gc-count",
                "Collections",
                "collections",
                "1/min",
                new Wish("jvm.gc_count", "collections", 1, SOLID, MINUTE)));
        if (trial.kind().equals("diagnostic")) {
            all.add(charts.sampled(
                    "contention",
                    "Lock contention (diagnostic trial)",
                    "contended enters",
                    "1/s",
                    new Wish("jvm.monitor_contended_total", "all threads", 1, SOLID, 1),
                    new Wish("jvm.monitor_contended_virtual", "of these, virtual threads", 2, DASHED, 1)));
        }
        return all;
    }

    private Chart latency() {
        List<TrialDetail.Window> windows = trial.windows();
        return new Chart(
                "latency",
                "Response time over the trial",
                caption(
                        "each point is one second of load by intended send time, successes and failures; where no load was sent there is a gap"),
                "line",
                new AxisName("since the trial's start", "s"),
                new AxisName("response time", "ms"),
                false,
                true,
                0.0,
                end(),
                List.of(),
                List.of(
                        line("p50", 1, SOLID, windows, TrialDetail.Window::responseP50Ms),
                        line("p99", 2, DASHED, windows, TrialDetail.Window::responseP99Ms)),
                bands());
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
            if (window.seconds() - before > 1.5) {
                points.add(Point.of(before + 1, null));
            }
            points.add(Point.of(window.seconds(), value.apply(window)));
            before = window.seconds();
        }
        return new Line(name, colour, dash, points);
    }

    /** x is the number of hits per one beyond: 1 / (1 − q), on a logarithmic axis. */
    private static Chart percentiles(PercentileCurve curve) {
        List<Chart.Label> labels = new ArrayList<>();
        double last = 2;
        for (double x = 1; x <= Math.max(2, curve.hits()); x *= 10) {
            labels.add(new Chart.Label(
                    x == 1 ? 2 : x,
                    x == 1
                            ? "p50"
                            : "p"
                                    + Figures.decimals(
                                            100 - 100 / x, x <= 100 ? 0 : (int) Math.round(Math.log10(x)) - 2)));
            last = x;
        }
        List<Point> response = new ArrayList<>();
        List<Point> service = new ArrayList<>();
        for (PercentileCurve.Point p : curve.points()) {
            if (p.quantile() < 0.5 || p.quantile() >= 1) {
                continue;
            }
            double x = 1 / (1 - p.quantile());
            String label = "p" + Figures.three(100 * p.quantile());
            label = p.quantile() > 0.99 ? "p" + Figures.decimals(100 * p.quantile(), 3) : label;
            response.add(new Point(x, p.responseMs(), null, null, Figures.three(p.responseMs()), label, null));
            Double served = p.serviceMs();
            service.add(new Point(x, served, null, null, served == null ? null : Figures.three(served), label, null));
        }
        double reach = (double) curve.hits() / HITS_BEYOND;
        String judged = reach < 2
                ? "with so few hits no percentile of it may be judged"
                : "beyond p" + Figures.decimals(100 - 100 / reach, reach > 1000 ? 2 : 1) + " fewer than " + HITS_BEYOND
                        + " hits lie: not to be judged";
        List<Chart.Band> bands = reach >= 2 && reach < curve.hits()
                ? List.of(
                        new Chart.Band("judged", 2, reach, false),
                        new Chart.Band("too few hits", reach, Math.max(curve.hits(), last), true))
                : List.of();
        return new Chart(
                "percentiles",
                "Percentiles: response against service time",
                "1 trial, " + Figures.count(curve.hits()) + " hits at " + Figures.three(curve.rate()) + "/s; " + judged
                        + ". Response counts from the intended send, service from the actual one: where they part, requests were waiting.",
                "line",
                new AxisName("percentile", null),
                new AxisName("time", "ms"),
                true,
                false,
                2.0,
                Math.max(2.0, curve.hits()),
                labels,
                List.of(new Line("response", 1, SOLID, response), new Line("service", 2, DASHED, service)),
                bands);
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
                "line",
                new AxisName("since the trial's start", "s"),
                new AxisName(axis, unit),
                false,
                true,
                0.0,
                end(),
                List.of(),
                lines,
                bands());
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
        List<TrialDetail.PhaseEntry> phases = trial.phases();
        for (int i = 0; i < phases.size(); i++) {
            double to = i + 1 < phases.size() ? phases.get(i + 1).seconds() : end();
            bands.add(new Chart.Band(
                    phases.get(i).phase(),
                    phases.get(i).seconds(),
                    Math.max(to, phases.get(i).seconds()),
                    phases.get(i).phase().equals("measure")));
        }
        return bands;
    }

    private double end() {
        double phases = trial.phases().stream()
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
