package dev.loomboard.leaderboard;

import dev.loomboard.cell.Standing;
import dev.loomboard.picture.Svg;
import dev.loomboard.view.MetricReading;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of a board as a small picture for other sites: what was measured at the left, the result with its interval and rank at the right.
 *
 * @param name what was measured
 * @param result in words; what was not measured or has no rank says so
 */
record Badge(String name, String result) {

    private static final Set<Standing> SHOWN = EnumSet.of(Standing.RANKED, Standing.PROVISIONAL, Standing.FEW);

    /** Of a letter of Verdana at 11 px, on average; the text is then set to that width, whatever the reader's font. */
    private static final double LETTER = 6.6;

    private static final int PADDING = 8;
    private static final int HEIGHT = 20;
    private static final int BASELINE = 14;
    private static final int SIZE = 11;

    static Badge of(LeaderboardPage board, Entry entry) {
        BoardColumn column = board.drawn();
        return new Badge(
                entry.server().name() + " " + entry.server().variant() + ", "
                        + board.scenario().words(),
                (shows(entry) ? column.text() + " " + value(column, entry.reading(column.metric())) + " · " : "")
                        + place(entry)
                        + (entry.jdk().none() ? "" : " · JDK " + entry.jdk().shortVersion()));
    }

    /** Whether its numbers may be shown without their reasons beside them. */
    static boolean shows(Entry entry) {
        return SHOWN.contains(entry.standing());
    }

    static String value(BoardColumn column, @Nullable MetricReading reading) {
        if (reading == null) {
            return "not measured";
        }
        if (!reading.eligible()) {
            return "not judged";
        }
        String unit = " " + column.scale().unit();
        return reading.low() == null || reading.high() == null
                ? column.scale().rough(reading.mean()) + unit + ", one trial"
                : column.scale().text(reading.mean()) + unit + " ("
                        + column.scale().range(reading.low(), reading.high()) + ")";
    }

    static String place(Entry entry) {
        Rank rank = entry.rating().rank();
        if (entry.standing() == Standing.RETRACTED) {
            return "retracted";
        }
        return entry.standing() == Standing.RANKED && rank != null
                ? "rank " + rank.range() + " of " + rank.of()
                : "not ranked";
    }

    byte[] svg() {
        double left = width(name);
        double right = width(result);
        Svg svg = new Svg(left + right, HEIGHT, text());
        svg.box(0, 0, left, HEIGHT, "#3a4149");
        svg.box(left, 0, right, HEIGHT, "#3b4cca");
        line(svg, 0, name);
        line(svg, left, result);
        return svg.bytes();
    }

    private String text() {
        return name + ": " + result;
    }

    private static double width(String text) {
        return text.codePointCount(0, text.length()) * LETTER + 2 * PADDING;
    }

    private static void line(Svg svg, double x, String text) {
        svg.text(
                text,
                x + PADDING,
                BASELINE,
                SIZE,
                "#fff",
                "font-family",
                "Verdana,DejaVu Sans,sans-serif",
                "textLength",
                Svg.number(width(text) - 2 * PADDING),
                "lengthAdjust",
                "spacingAndGlyphs");
    }
}
