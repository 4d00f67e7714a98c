package dev.loomboard.picture;

import dev.loomboard.view.Chart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What lies between a chart's axes, as the page's chart has it (chart-plugins.js). */
final class Plot {

    private static final double SMALL = 10;
    private static final double ROW = 12;
    /** Where a name may stand, in rows below its mark. */
    private static final int[] ROWS = {0, -1, 1, -2, 2, -3, 3};

    private static final double LINE_WIDTH = 1.75;
    private static final double RADIUS = 4;
    private static final String CLIP = "url(#plot)";

    private final Chart chart;
    private final Axis x;
    private final Axis y;
    private final Svg svg;

    /** @param y from the plot's bottom to its top */
    Plot(Chart chart, Axis x, Axis y, Svg svg) {
        this.chart = chart;
        this.x = x;
        this.y = y;
        this.svg = svg;
    }

    private double top() {
        return y.to();
    }

    private double bottom() {
        return y.from();
    }

    void draw() {
        svg.begin("clipPath", "id", "plot");
        svg.box(x.from(), top(), x.to() - x.from(), bottom() - top(), "none");
        svg.end();
        bands();
        svg.begin("g", "clip-path", CLIP);
        for (Chart.Reach reach : chart.overlay().reaches()) {
            double left = x.place(reach.from());
            double high = y.place(reach.high());
            svg.box(
                    left,
                    high,
                    x.place(reach.to()) - left,
                    y.place(reach.low()) - high,
                    Ink.line(reach.colour()),
                    "fill-opacity",
                    "0.14");
        }
        chart.lines().forEach(this::line);
        svg.end();
        marks();
        if (chart.kind() == Chart.Kind.SCATTER) {
            names();
        }
    }

    private void bands() {
        // Above are the names of marks.
        double line = chart.overlay().marks().isEmpty() ? top() + ROW : bottom() - 4;
        for (int i = 0; i < chart.overlay().bands().size(); i++) {
            Chart.Band band = chart.overlay().bands().get(i);
            double left = StrictMath.max(x.from(), x.place(band.from()));
            double right = StrictMath.min(x.to(), x.place(band.to()));
            if (right <= left) {
                continue;
            }
            if (band.strong() || i % 2 == 1) {
                svg.box(
                        left,
                        top(),
                        right - left,
                        bottom() - top(),
                        Ink.SUNKEN,
                        "fill-opacity",
                        band.strong() ? "0.9" : "0.45");
            }
            svg.stroke(upright(left), Ink.STRONG, 1, "stroke-dasharray", "2 3");
            if (Svg.width(band.name(), SMALL) < right - left - 6) {
                svg.text(band.name(), left + 4, line, SMALL, Ink.MUTED);
            }
        }
    }

    private String upright(double at) {
        return "M" + Svg.number(at) + " " + Svg.number(top()) + "V" + Svg.number(bottom());
    }

    /** A value that was not measured, or is not comparable with the one before, is led to by no stroke. */
    private void line(Chart.Line line) {
        boolean dashed = !line.dash().isEmpty();
        boolean scattered = chart.kind() == Chart.Kind.SCATTER;
        String colour = Ink.line(line.colour());
        Set<Integer> breaks = new HashSet<>(line.breaks());
        StringBuilder path = new StringBuilder();
        StringBuilder intervals = new StringBuilder();
        StringBuilder marks = new StringBuilder();
        Double before = null; // where the stroke is
        for (int i = 0; i < line.points().size(); i++) {
            Chart.Point point = line.points().get(i);
            Double value = point.y();
            if (value == null) {
                before = null;
                continue;
            }
            double px = x.place(point.x());
            double py = y.place(value);
            if (before == null || breaks.contains(i)) {
                path.append('M').append(at(px, py));
            } else if (scattered) {
                path.append('H').append(Svg.number(px)).append('V').append(Svg.number(py));
            } else {
                path.append('L').append(at(px, py));
            }
            before = py;
            marks.append(marker(line.colour(), px, py));
            intervals.append(interval(point, px));
        }
        if (!scattered || dashed) {
            String dash = line.dashText();
            svg.stroke(path.toString(), colour, LINE_WIDTH, dash == null ? new String[0] : dashes(dash));
        }
        svg.stroke(intervals.toString(), colour, 1.5);
        boolean marked = scattered
                ? !dashed
                : chart.kind() == Chart.Kind.POINTS || line.points().size() == 1;
        if (marked && !marks.isEmpty()) {
            svg.empty("path", "d", marks.toString(), "fill", colour, "stroke", colour, "stroke-width", "1");
        }
    }

    private static String[] dashes(String dash) {
        return new String[] {"stroke-dasharray", dash};
    }

    private String interval(Chart.Point point, double px) {
        Double low = point.low();
        Double high = point.high();
        return low == null || high == null ? "" : "M" + at(px, y.place(low)) + "V" + Svg.number(y.place(high));
    }

    private static String at(double px, double py) {
        return Svg.number(px) + " " + Svg.number(py);
    }

    /** The second cue beside the colour (chart-style.js). */
    static String marker(int colour, double px, double py) {
        String r = Svg.number(RADIUS);
        String d = Svg.number(2 * RADIUS);
        return switch ((colour - 1) % 5) {
            case 0 ->
                "M" + at(px - RADIUS, py) + "a" + r + " " + r + " 0 1 0 " + d + " 0a" + r + " " + r + " 0 1 0 -" + d
                        + " 0z";
            case 1 -> "M" + at(px - RADIUS, py - RADIUS) + "h" + d + "v" + d + "h-" + d + "z";
            case 2 -> "M" + at(px, py - RADIUS) + "l" + r + " " + d + "h-" + d + "z";
            case 3 -> "M" + at(px, py - RADIUS) + "l" + r + " " + r + "l-" + r + " " + r + "l-" + r + " -" + r + "z";
            default -> "M" + at(px - RADIUS, py - RADIUS) + "l" + d + " " + d + "m0 -" + d + "l-" + d + " " + d;
        };
    }

    /** Names that would meet go below each other. */
    private void marks() {
        List<Double> free = new ArrayList<>(); // where the last name of each row ends
        List<Chart.Mark> marks = chart.overlay().marks().stream()
                .filter(mark -> mark.x() >= x.low() && mark.x() <= x.high())
                .sorted(Comparator.comparingDouble(Chart.Mark::x))
                .toList();
        for (Chart.Mark mark : marks) {
            double px = x.place(mark.x());
            String colour = Ink.mark(mark.colour());
            String dash = mark.dashText();
            svg.stroke(upright(px), colour, dash == null ? LINE_WIDTH : 1, dash == null ? new String[0] : dashes(dash));
            double width = Svg.width(mark.text(), SMALL) + 6;
            double left = px + 3 + width > x.to() ? px - width : px + 3;
            int row = 0;
            while (row < free.size() && free.get(row) > left) {
                row++;
            }
            if (row == free.size()) {
                free.add(0.0);
            }
            free.set(row, left + width);
            svg.text(mark.text(), left, top() + ROW * (row + 1), SMALL, colour);
        }
    }

    private record Box(double left, double right, double top, double bottom) {

        boolean meets(Box other) {
            return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
        }
    }

    /** Beside each mark what it is called, as far as there is room. */
    private void names() {
        List<Chart.Point> spots = chart.lines().stream()
                .filter(line -> line.dash().isEmpty())
                .flatMap(line -> line.points().stream())
                .filter(point -> point.y() != null)
                .toList();
        List<Box> taken = new ArrayList<>();
        spots.forEach(spot -> taken.add(room(spot)));
        chart.lines().stream().filter(line -> !line.dash().isEmpty()).forEach(line -> taken.addAll(steps(line)));
        for (Chart.Point spot : spots) {
            String label = spot.label();
            if (label != null) {
                name(label, x.place(spot.x()), y.place(value(spot)), taken);
            }
        }
    }

    /** What a mark and its interval take. */
    private Box room(Chart.Point spot) {
        double px = x.place(spot.x());
        double py = y.place(value(spot));
        Double low = spot.low();
        Double high = spot.high();
        return new Box(
                px - RADIUS,
                px + RADIUS,
                StrictMath.min(py - RADIUS, high == null ? py : y.place(high)),
                StrictMath.max(py + RADIUS, low == null ? py : y.place(low)));
    }

    /** What the steps of a line take: along, then up or down. */
    private List<Box> steps(Chart.Line line) {
        List<Box> steps = new ArrayList<>();
        List<Chart.Point> points =
                line.points().stream().filter(point -> point.y() != null).toList();
        for (int i = 1; i < points.size(); i++) {
            double px = x.place(points.get(i - 1).x());
            double py = y.place(value(points.get(i - 1)));
            double to = x.place(points.get(i).x());
            double down = y.place(value(points.get(i)));
            steps.add(new Box(px, to, py - 1, py + 1));
            steps.add(new Box(to - 1, to + 1, StrictMath.min(py, down), StrictMath.max(py, down)));
        }
        return steps;
    }

    /** Beside the mark, else as near above or below that as there is room: nobody can ask a picture for a name. */
    private void name(String label, double px, double py, List<Box> taken) {
        double width = Svg.width(label, SMALL);
        for (int row : ROWS) {
            double middle = py + row * ROW;
            for (double left : new double[] {px + 8, px - 8 - width}) {
                Box box = new Box(left, left + width, middle - ROW / 2, middle + ROW / 2);
                if (left >= x.from() && box.right <= x.to() && taken.stream().noneMatch(box::meets)) {
                    taken.add(box);
                    svg.text(label, left, middle + 3, SMALL, Ink.MUTED);
                    return;
                }
            }
        }
    }

    /** Of a point that was measured. */
    private static double value(Chart.Point point) {
        return Objects.requireNonNull(point.y());
    }
}
