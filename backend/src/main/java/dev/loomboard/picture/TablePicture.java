package dev.loomboard.picture;

import dev.loomboard.view.IntervalAxis;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table as a picture, with the interval of each row drawn on one axis.
 *
 * @param heads of the columns before the intervals, and of the one behind
 * @param drawn what the intervals are of, with its unit
 * @param low what is written at the axis' beginning
 * @param high the same of its end
 * @param address of the page
 */
public record TablePicture(
        String title,
        List<String> heads,
        String drawn,
        IntervalAxis axis,
        String low,
        String high,
        List<Section> sections,
        String caption,
        String address) {

    /** @param words about its rows, above them */
    public record Section(String words, List<Row> rows) {
        public Section {
            rows = List.copyOf(rows);
        }
    }

    /**
     * @param cells as many as there are heads
     * @param span null: nothing may be drawn
     * @param colour of a line
     */
    public record Row(List<String> cells, @Nullable Span span, int colour) {
        public Row {
            cells = List.copyOf(cells);
        }
    }

    /** @param low null: one trial has no interval */
    public record Span(
            double mean, @Nullable Double low, @Nullable Double high) {}

    private static final double WIDTH = 960;
    private static final double PAD = 16;
    private static final double GAP = 18;
    private static final double LINE = 24;
    private static final double TITLE = 15;
    private static final double TEXT = 12;
    private static final double SMALL = 11;
    private static final double WIDEST = 260;

    public TablePicture {
        heads = List.copyOf(heads);
        sections = List.copyOf(sections);
    }

    public byte[] svg() {
        List<Double> widths = widths();
        double left = PAD
                + widths.subList(0, widths.size() - 1).stream()
                        .mapToDouble(w -> w + GAP)
                        .sum();
        double right = WIDTH - PAD - widths.getLast() - GAP;
        long lines = sections.stream()
                .mapToLong(section -> 1 + section.rows().size())
                .sum();
        double height = 5 * LINE + LINE * lines;
        Svg svg = new Svg(WIDTH, height, title);
        svg.box(0, 0, WIDTH, height, Ink.PAPER);
        svg.text(Svg.fitting(title, TITLE, WIDTH - 2 * PAD), PAD, LINE, TITLE, Ink.INK, "font-weight", "600");
        double y = 2 * LINE;
        cells(svg, heads, widths, y, Ink.MUTED);
        svg.text(low, left, y, SMALL, Ink.MUTED);
        svg.text(drawn, (left + right) / 2, y, SMALL, Ink.MUTED, "text-anchor", "middle");
        svg.text(high, right, y, SMALL, Ink.MUTED, "text-anchor", "end");
        for (Section section : sections) {
            y += LINE;
            svg.box(PAD, y - LINE + 8, WIDTH - 2 * PAD, LINE - 2, Ink.SUNKEN);
            svg.text(
                    Svg.fitting(section.words(), SMALL, WIDTH - 2 * PAD - 8),
                    PAD + 4,
                    y,
                    SMALL,
                    Ink.INK,
                    "font-weight",
                    "600");
            for (Row row : section.rows()) {
                y += LINE;
                cells(svg, row.cells(), widths, y, Ink.INK);
                svg.stroke(across(left, right, y), Ink.LINE, 1);
                Span span = row.span();
                if (span != null) {
                    span(svg, span, row.colour(), left, right, y - 4);
                }
            }
        }
        svg.text(Svg.fitting(caption, SMALL, WIDTH - 2 * PAD), PAD, y + LINE + 4, SMALL, Ink.MUTED);
        svg.text(Svg.fitting(address, SMALL, WIDTH - 2 * PAD), PAD, y + 2 * LINE, SMALL, Ink.MUTED);
        return svg.bytes();
    }

    /** Of each column, that of its longest text. */
    private List<Double> widths() {
        List<Double> widths = new ArrayList<>();
        for (int i = 0; i < heads.size(); i++) {
            int column = i;
            widths.add(StrictMath.min(
                    WIDEST,
                    Stream.concat(
                                    Stream.of(heads),
                                    sections.stream()
                                            .flatMap(s -> s.rows().stream())
                                            .map(Row::cells))
                            .mapToDouble(cells -> Svg.width(cells.get(column), TEXT))
                            .max()
                            .orElse(0)));
        }
        return widths;
    }

    private static void cells(Svg svg, List<String> cells, List<Double> widths, double y, String fill) {
        double x = PAD;
        for (int i = 0; i < cells.size(); i++) {
            boolean last = i == cells.size() - 1;
            String text = Svg.fitting(cells.get(i), TEXT, widths.get(i));
            svg.text(text, last ? WIDTH - PAD : x, y, TEXT, fill, "text-anchor", last ? "end" : "start");
            x += widths.get(i) + GAP;
        }
    }

    private void span(Svg svg, Span span, int colour, double left, double right, double y) {
        Axis places = new Axis(axis.from(), axis.to(), false, left, right);
        Double from = span.low();
        Double to = span.high();
        String mark = Plot.marker(colour, places.place(span.mean()), y);
        if (from == null || to == null) {
            svg.stroke(mark, Ink.line(colour), 1.5); // hollow, as on the page: one trial
            return;
        }
        svg.stroke(across(places.place(from), places.place(to), y), Ink.line(colour), 2);
        svg.empty("path", "d", mark, "fill", Ink.line(colour));
    }

    private static String across(double from, double to, double y) {
        return "M" + Svg.number(from) + " " + Svg.number(y) + "H" + Svg.number(to);
    }
}
