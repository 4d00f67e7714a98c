package dev.loomboard.shift;

import dev.loomboard.view.Chart;
import dev.loomboard.view.Chart.AxisName;
import dev.loomboard.view.Chart.Line;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A shift over the percentiles, with its interval. */
final class ShiftChart {

    private static final List<Integer> SOLID = List.of();
    private static final List<Integer> DASHED = List.of(6, 4);
    private static final List<Integer> DOTTED = List.of(2, 3);

    private ShiftChart() {}

    static Chart of(ShiftFunction shift, boolean paired, boolean closed) {
        List<Chart.Label> labels = new ArrayList<>();
        for (int i = 0; i < shift.points().size(); i++) {
            labels.add(new Chart.Label(i, shift.points().get(i).percentile()));
        }
        return new Chart(
                "shift",
                "Shift of the distribution",
                caption(shift, paired, closed),
                Chart.Kind.LINE,
                new AxisName("percentile", null),
                new AxisName("candidate ÷ baseline", null),
                new Chart.Extent(false, false, 0.0, shift.points().size() - 1.0),
                labels,
                List.of(
                        new Line("ratio", 1, SOLID, points(shift, ShiftFunction.Point::ratio)),
                        new Line("95 % interval, low end", 2, DASHED, points(shift, ShiftFunction.Point::low)),
                        new Line("95 % interval, high end", 2, DASHED, points(shift, ShiftFunction.Point::high)),
                        new Line("no difference", 4, DOTTED, points(shift, point -> 1.0))),
                Chart.Overlay.NONE);
    }

    private static String caption(ShiftFunction shift, boolean paired, boolean closed) {
        int most = shift.points().stream()
                .mapToInt(ShiftFunction.Point::blocks)
                .max()
                .orElse(0);
        return (closed ? "Service time of a closed load" : "Response time")
                + " minus the declared delay; percentiles from each trial's own histogram; "
                + (paired
                        ? Format.of(most, "block")
                                + " of paired trials, mean difference of the logarithms with its 95 % t interval. "
                        : "trials of different runs, not interleaved, so host drift is not excluded; Welch's 95 % interval. ")
                + "Each interval is for one percentile alone. A gap is a percentile that may not be judged.";
    }

    private static List<Chart.Point> points(ShiftFunction shift, Function<ShiftFunction.Point, @Nullable Double> of) {
        List<Chart.Point> points = new ArrayList<>();
        for (int i = 0; i < shift.points().size(); i++) {
            Double y = of.apply(shift.points().get(i));
            points.add(new Chart.Point(
                    i,
                    y,
                    null,
                    null,
                    y == null ? null : Format.ratio(y),
                    shift.points().get(i).percentile(),
                    null));
        }
        return points;
    }
}
