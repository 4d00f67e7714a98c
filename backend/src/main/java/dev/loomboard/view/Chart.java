package dev.loomboard.view;

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
 * @param bands named stretches of the x axis
 * @param marks named places of the x axis
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
        List<Band> bands,
        List<Mark> marks) {

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

    public record Label(double x, String text) {}

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
    }

    /**
     * @param colour 1 to 5, see chart.css
     * @param dash lengths of dash and gap, empty: solid
     */
    public record Line(String name, int colour, List<Integer> dash, List<Point> points) {
        public Line {
            dash = List.copyOf(dash);
            points = List.copyOf(points);
        }

        /** As SVG writes it; null: solid. */
        public @Nullable String dashText() {
            return dash.isEmpty() ? null : dash.stream().map(String::valueOf).collect(Collectors.joining(" "));
        }
    }

    /**
     * @param y null: not measured, a gap
     * @param text the value as written
     * @param label what the place is called; null: its x
     * @param href where the point leads
     */
    public record Point(
            double x,
            @Nullable Double y,
            @Nullable Double low,
            @Nullable Double high,
            @Nullable String text,
            @Nullable String label,
            @Nullable String href) {
        public static Point of(double x, @Nullable Double y) {
            return new Point(x, y, null, null, y == null ? null : Format.three(y), null, null);
        }
    }

    /** One row of the chart's table: its place, and one cell per line; null: no point there, or not measured. */
    public record Row(String place, List<@Nullable Point> cells) {}

    public Chart {
        xLabels = List.copyOf(xLabels);
        lines = List.copyOf(lines);
        bands = List.copyOf(bands);
        marks = List.copyOf(marks);
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
