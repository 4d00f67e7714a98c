package dev.loomboard.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.kernel.WireName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A chart as the page's JSON carries it and as its table prints it: finished numbers, nothing left to compute.
 *
 * @param id unique on its page
 * @param caption number of trials, spread, source
 * @param xLabels names of places on the x axis; empty: it is numeric
 */
public record Chart(
        String id,
        String title,
        String caption,
        Kind kind,
        AxisName xAxis,
        AxisName yAxis,
        @JsonUnwrapped Extent extent,
        List<Label> xLabels,
        List<Line> lines,
        @JsonUnwrapped Overlay overlay) {

    public enum Kind implements WireName {
        /** Connected samples. */
        LINE,
        /** One mark per point, with its interval. */
        POINTS,
        /** Marks alone, joined in steps where the line is dashed. */
        SCATTER
    }

    /**
     * Of the axes.
     *
     * @param fromZero whether the value axis starts at zero; if not, the caption says so
     * @param xMin null: as the points are
     * @param xMax null: as the points are
     */
    public record Extent(
            boolean xLog,
            boolean fromZero,
            @Nullable Double xMin,
            @Nullable Double xMax) {}

    public record AxisName(String name, @Nullable String unit) {}

    /** @param key what an address calls it; null: no address does */
    public record Label(
            double x,
            String text,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String key) {
        public Label(double x, String text) {
            this(x, text, null);
        }
    }

    /**
     * What is drawn besides the lines.
     *
     * @param bands named stretches of the x axis, behind the lines
     * @param marks named places of the x axis
     * @param lanes below the x axis
     * @param reaches stretches of both axes, behind the lines
     */
    public record Overlay(
            List<Band> bands,
            List<Mark> marks,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Lane> lanes,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Reach> reaches) {
        public static final Overlay NONE = bands(List.of());

        public Overlay {
            bands = List.copyOf(bands);
            marks = List.copyOf(marks);
            lanes = List.copyOf(lanes);
            reaches = List.copyOf(reaches);
        }

        public static Overlay bands(List<Band> bands) {
            return new Overlay(bands, List.of(), List.of(), List.of());
        }
    }

    /** Named stretches in a row of their own, such as which kernel measured the points above. */
    public record Lane(String name, List<Band> stretches) {
        public Lane {
            stretches = List.copyOf(stretches);
        }
    }

    /**
     * Values between low and high.
     *
     * @param colour of the line that it is about
     */
    public record Reach(double from, double to, double low, double high, int colour) {}

    public record Band(String name, double from, double to, boolean strong) {}

    /**
     * An upright line.
     *
     * @param colour good, bad or muted
     * @param dash lengths of dash and gap, empty: solid
     */
    public record Mark(double x, String text, String colour, List<Integer> dash) {
        public Mark {
            dash = List.copyOf(dash);
        }

        /** As SVG writes it; null: solid. */
        public @Nullable String dashText() {
            return Chart.dashText(dash);
        }
    }

    /**
     * @param colour 1 to 5, see chart.css
     * @param dash lengths of dash and gap, empty: solid
     * @param breaks places in the list of points that the line does not lead to: what follows is not comparable
     */
    public record Line(
            String name,
            int colour,
            List<Integer> dash,
            List<Point> points,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Integer> breaks) {
        public Line {
            dash = List.copyOf(dash);
            points = List.copyOf(points);
            breaks = List.copyOf(breaks);
        }

        public Line(String name, int colour, List<Integer> dash, List<Point> points) {
            this(name, colour, dash, points, List.of());
        }

        /** As SVG writes it; null: solid. */
        public @Nullable String dashText() {
            return Chart.dashText(dash);
        }
    }

    /**
     * @param y null: not measured, a gap
     * @param text the value as written
     * @param label what the place is called; null: its x
     * @param href where the point leads
     * @param facts about it, a line each
     */
    public record Point(
            double x,
            @Nullable Double y,
            @Nullable Double low,
            @Nullable Double high,
            @Nullable String text,
            @Nullable String label,
            @Nullable String href,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> facts) {
        public Point {
            facts = List.copyOf(facts);
        }

        public Point(
                double x,
                @Nullable Double y,
                @Nullable Double low,
                @Nullable Double high,
                @Nullable String text,
                @Nullable String label,
                @Nullable String href) {
            this(x, y, low, high, text, label, href, List.of());
        }

        public static Point of(double x, @Nullable Double y) {
            return new Point(x, y, null, null, y == null ? null : Format.three(y), null, null);
        }
    }

    /** One row of the chart's table: its place, and one cell per line; null: no point there, or not measured. */
    public record Row(String place, List<@Nullable Point> cells) {}

    public Chart {
        xLabels = List.copyOf(xLabels);
        lines = List.copyOf(lines);
    }

    private static @Nullable String dashText(List<Integer> dash) {
        return dash.isEmpty() ? null : dash.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    public boolean fromZero() {
        return extent.fromZero();
    }

    /** The same numbers as rows, in the order of the x axis. */
    public List<Row> rows() {
        TreeMap<Double, @Nullable Point[]> places = new TreeMap<>();
        for (int line = 0; line < lines.size(); line++) {
            for (Point point : lines.get(line).points()) {
                places.computeIfAbsent(point.x(), x -> new @Nullable Point[lines.size()])[line] = point;
            }
        }
        List<Row> rows = new ArrayList<>();
        places.forEach((x, cells) -> rows.add(new Row(placeName(x, cells), Arrays.asList(cells))));
        return rows;
    }

    /** False when there is nothing to draw: every point is a gap. */
    public boolean hasValues() {
        return lines.stream().anyMatch(line -> line.points().stream().anyMatch(p -> p.y() != null));
    }

    private String placeName(double x, @Nullable Point[] cells) {
        for (Point cell : cells) {
            if (cell != null && cell.label() != null) {
                return cell.label();
            }
        }
        return xLabels.stream()
                .filter(l -> l.x() == x)
                .map(Label::text)
                .findFirst()
                .orElseGet(() -> Format.three(x));
    }
}
