package dev.loomboard.trial;

import dev.loomboard.view.Chart;
import dev.loomboard.view.Chart.AxisName;
import dev.loomboard.view.Chart.Line;
import dev.loomboard.view.Chart.Point;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The percentiles of one step: response against service time, or of a closed load service time alone. */
final class PercentileChart {

    private static final long HITS_BEYOND = 100;
    private static final List<Integer> SOLID = List.of();
    private static final List<Integer> DASHED = List.of(6, 4);

    private PercentileChart() {}

    /** x is the number of hits per one beyond: 1 / (1 − q), on a logarithmic axis. */
    static Chart of(PercentileCurve curve) {
        List<Chart.Label> labels = new ArrayList<>();
        double last = 2;
        for (double x = 1; x <= Math.max(2, curve.hits()); x *= 10) {
            labels.add(new Chart.Label(
                    x == 1 ? 2 : x,
                    x == 1
                            ? "p50"
                            : "p"
                                    + Format.decimals(
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
            String label = "p" + Format.three(100 * p.quantile());
            label = p.quantile() > 0.99 ? "p" + Format.decimals(100 * p.quantile(), 3) : label;
            response.add(point(x, p.responseMs(), label));
            service.add(point(x, p.serviceMs(), label));
        }
        Double rate = curve.rate();
        String at = rate == null ? curve.connections() + " connections" : Format.three(rate) + "/s";
        double reach = (double) curve.hits() / HITS_BEYOND;
        String judged = reach < 2
                ? "too few requests to judge any percentile"
                : "percentiles beyond p" + Format.decimals(100 - 100 / reach, reach > 1000 ? 2 : 1)
                        + " rest on fewer than " + HITS_BEYOND + " requests and are not judged";
        List<Chart.Band> bands = reach >= 2 && reach < curve.hits()
                ? List.of(
                        new Chart.Band("judged", 2, reach, false),
                        new Chart.Band("too few requests", reach, Math.max(curve.hits(), last), true))
                : List.of();
        return new Chart(
                "percentiles",
                rate == null ? "Percentiles: service time at " + at : "Percentiles: response against service time",
                "1 trial, " + Format.count(curve.hits()) + " requests at " + at + "; " + judged
                        + (rate == null
                                ? ". Closed load has no intended send times, so this is service time, not comparable with an open load."
                                : ". Response time counts from the intended send, service time from the actual send: where they differ, requests waited."),
                Chart.Kind.LINE,
                new AxisName("percentile", null),
                new AxisName("time", "ms"),
                new Chart.Extent(true, false, 2.0, Math.max(2.0, curve.hits())),
                labels,
                rate == null
                        ? List.of(new Line("service", 2, DASHED, service))
                        : List.of(new Line("response", 1, SOLID, response), new Line("service", 2, DASHED, service)),
                Chart.Overlay.bands(bands));
    }

    private static Point point(double x, @Nullable Double millis, String label) {
        return new Point(x, millis, null, null, millis == null ? null : Format.three(millis), label, null);
    }
}
