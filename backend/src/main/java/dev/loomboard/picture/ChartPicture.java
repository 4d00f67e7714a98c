package dev.loomboard.picture;

import dev.loomboard.view.Chart;
import dev.loomboard.web.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A chart as a picture: its title, unit, the names of its lines, the drawing, what the page says below it, and the page's address. */
public final class ChartPicture {

    private static final double WIDTH = 960;
    private static final double PAD = 16;
    private static final double LEFT = 76;
    private static final double RIGHT = WIDTH - 24;
    private static final double HIGH = 320;
    private static final double ROW = 18;
    private static final double LANE = 16;
    private static final double TITLE = 15;
    private static final double TEXT = 12;
    private static final double SMALL = 11;
    private static final double TINY = 10;
    private static final double KEY = 34;
    private static final int Y_TICKS = 6;
    private static final int X_TICKS = 10;

    private final Chart chart;
    private final String heading;
    private final String address;

    private ChartPicture(Chart chart, String heading, String address) {
        this.chart = chart;
        this.heading = heading;
        this.address = address;
    }

    /**
     * @param id of one of the charts; null: the first
     * @param heading what the page is about
     * @param address of the page
     */
    public static byte[] of(List<Chart> charts, @Nullable String id, String heading, String address) {
        if (charts.isEmpty()) {
            throw Problem.notFound().asException();
        }
        Chart chart = charts.stream()
                .filter(one -> id == null || one.id().equals(id))
                .findFirst()
                .orElseThrow(() -> Problem.invalid(
                                "chart",
                                "must be one of "
                                        + charts.stream().map(Chart::id).collect(Collectors.joining(", ")))
                        .asException());
        return new ChartPicture(chart, heading, address).drawn();
    }

    /** Where a line's name stands. */
    private record Name(Chart.Line line, double x, double y) {}

    private byte[] drawn() {
        List<Name> names = names(PAD + 4 * ROW);
        double top = (names.isEmpty() ? PAD + 3 * ROW : names.getLast().y()) + ROW;
        double bottom = top + HIGH;
        double lanes = bottom + 2 * ROW + 6;
        double caption = lanes + LANE * chart.overlay().lanes().size() + ROW;
        List<String> said = wrapped(chart.caption());
        double height = caption + ROW * said.size() + PAD;
        Svg svg = new Svg(WIDTH, height, chart.title() + ", " + heading);
        svg.box(0, 0, WIDTH, height, Ink.PAPER);
        svg.text(
                Svg.fitting(chart.title(), TITLE, WIDTH - 2 * PAD),
                PAD,
                PAD + ROW - 4,
                TITLE,
                Ink.INK,
                "font-weight",
                "600");
        svg.text(Svg.fitting(heading, TEXT, WIDTH - 2 * PAD), PAD, PAD + 2 * ROW - 4, TEXT, Ink.INK);
        svg.text(
                written(chart.yAxis()) + (chart.fromZero() ? "" : " · the axis does not start at 0"),
                PAD,
                PAD + 3 * ROW - 4,
                TEXT,
                Ink.MUTED);
        names.forEach(name -> write(name, svg));
        if (chart.hasValues()) {
            plot(svg, top, bottom, lanes);
        } else {
            svg.text("not measured", LEFT, (top + bottom) / 2, TEXT, Ink.MUTED);
        }
        for (int i = 0; i < said.size(); i++) {
            svg.text(said.get(i), PAD, caption + ROW * i, SMALL, Ink.MUTED);
        }
        svg.text(Svg.fitting(address, SMALL, WIDTH - 2 * PAD), PAD, caption + ROW * said.size(), SMALL, Ink.MUTED);
        return svg.bytes();
    }

    private void plot(Svg svg, double top, double bottom, double lanes) {
        Axis y = Axis.over(
                values().flatMap(p -> Stream.of(p.y(), p.low(), p.high()))
                        .filter(Objects::nonNull)
                        .mapToDouble(v -> v)
                        .toArray(),
                chart.fromZero(),
                bottom,
                top);
        Axis x = along();
        for (Axis.Tick tick : y.ticks(Y_TICKS)) {
            double at = y.place(tick.at());
            svg.stroke("M" + Svg.number(LEFT) + " " + Svg.number(at) + "H" + Svg.number(RIGHT), Ink.LINE, 1);
            svg.text(tick.text(), LEFT - 6, at + 4, SMALL, Ink.MUTED, "text-anchor", "end");
        }
        new Plot(chart, x, y, svg).draw();
        svg.stroke("M" + Svg.number(LEFT) + " " + Svg.number(bottom) + "H" + Svg.number(RIGHT), Ink.STRONG, 1);
        for (Axis.Tick tick : places(x)) {
            svg.text(tick.text(), x.place(tick.at()), bottom + 15, SMALL, Ink.MUTED, "text-anchor", "middle");
        }
        svg.text(written(chart.xAxis()), (LEFT + RIGHT) / 2, bottom + 32, SMALL, Ink.MUTED, "text-anchor", "middle");
        for (int i = 0; i < chart.overlay().lanes().size(); i++) {
            lane(svg, chart.overlay().lanes().get(i), x, lanes + LANE * i);
        }
    }

    /** Points that were measured. */
    private Stream<Chart.Point> values() {
        return chart.lines().stream().flatMap(line -> line.points().stream()).filter(point -> point.y() != null);
    }

    private Axis along() {
        double[] all = values().mapToDouble(Chart.Point::x).toArray();
        Double least = chart.extent().xMin();
        Double most = chart.extent().xMax();
        double low = least == null ? DoubleStream.of(all).min().orElse(0) : least;
        double high = most == null ? DoubleStream.of(all).max().orElse(1) : most;
        if (chart.extent().xLog()) {
            return new Axis(low, StrictMath.max(high, 2 * low), true, LEFT, RIGHT);
        }
        return least == null && chart.kind() == Chart.Kind.SCATTER || high <= low
                ? Axis.over(all, chart.fromZero(), LEFT, RIGHT)
                : new Axis(low, high, false, LEFT, RIGHT);
    }

    /** What is written along the x axis: names as far as there is room for them, else round values. */
    private List<Axis.Tick> places(Axis x) {
        List<Chart.Label> labels = chart.xLabels();
        if (labels.isEmpty()) {
            return x.ticks(X_TICKS);
        }
        double free = LEFT - PAD;
        List<Axis.Tick> ticks = new ArrayList<>();
        for (Chart.Label label : labels) {
            double half = Svg.width(label.text(), SMALL) / 2;
            double at = x.place(label.x());
            if (at - half >= free && at + half <= WIDTH) {
                ticks.add(new Axis.Tick(label.x(), label.text()));
                free = at + half + 8;
            }
        }
        return ticks;
    }

    private static void lane(Svg svg, Chart.Lane lane, Axis x, double top) {
        svg.text(Svg.fitting(lane.name(), TINY, LEFT - PAD - 4), PAD, top + 11, TINY, Ink.MUTED);
        for (int i = 0; i < lane.stretches().size(); i++) {
            Chart.Band stretch = lane.stretches().get(i);
            double left = StrictMath.max(x.from(), x.place(stretch.from()));
            double right = StrictMath.min(x.to(), x.place(stretch.to()));
            if (right - left > 1) {
                svg.box(left, top + 1, right - left - 1, LANE - 3, Ink.LINE, "fill-opacity", i % 2 == 1 ? "1" : "0.5");
                svg.text(Svg.fitting(stretch.name(), TINY, right - left - 8), left + 4, top + 11, TINY, Ink.INK);
            }
        }
    }

    /** In rows that do not reach beyond the picture. */
    private List<Name> names(double first) {
        List<Name> names = new ArrayList<>();
        double x = PAD;
        double y = first;
        for (Chart.Line line : chart.lines()) {
            double wide = KEY + Svg.width(line.name(), TEXT) + PAD;
            if (x > PAD && x + wide > WIDTH) {
                x = PAD;
                y += ROW;
            }
            names.add(new Name(line, x, y));
            x += wide;
        }
        return names;
    }

    private static void write(Name name, Svg svg) {
        String colour = Ink.line(name.line().colour());
        String dash = name.line().dashText();
        double y = name.y() - 4;
        svg.stroke(
                "M" + Svg.number(name.x()) + " " + Svg.number(y) + "h28",
                colour,
                2,
                dash == null ? new String[0] : new String[] {"stroke-dasharray", dash});
        svg.empty(
                "path",
                "d",
                Plot.marker(name.line().colour(), name.x() + 14, y),
                "fill",
                colour,
                "stroke",
                colour,
                "stroke-width",
                "1");
        svg.text(name.line().name(), name.x() + KEY, name.y(), TEXT, Ink.INK);
    }

    private static String written(Chart.AxisName axis) {
        String unit = axis.unit();
        return unit == null ? axis.name() : axis.name() + ", " + unit;
    }

    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (!line.isEmpty() && Svg.width(line + " " + word, SMALL) > WIDTH - 2 * PAD) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        if (!line.isEmpty()) {
            lines.add(line.toString());
        }
        return lines;
    }
}
