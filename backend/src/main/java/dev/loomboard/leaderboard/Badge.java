package dev.loomboard.leaderboard;

import dev.loomboard.cell.Standing;
import dev.loomboard.view.MetricReading;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/**
 * A row of a board as a small picture for other sites: what was measured at the left, the result with its interval and rank at the right.
 *
 * @param name what was measured
 * @param result in words; what was not measured or has no rank says so
 */
record Badge(String name, String result) {

    /** Whose numbers may be shown without their reasons beside them. */
    private static final Set<Standing> SHOWN = EnumSet.of(Standing.RANKED, Standing.PROVISIONAL, Standing.FEW);

    /** Of a letter of Verdana at 11 px, on average; the text is then set to that width, whatever the reader's font. */
    private static final double LETTER = 6.6;

    private static final int PADDING = 8;
    private static final int HEIGHT = 20;
    private static final int BASELINE = 14;

    static Badge of(LeaderboardPage board, Entry entry) {
        BoardColumn column = board.drawn();
        return new Badge(
                entry.server().name() + " " + entry.server().variant() + ", "
                        + board.scenario().words(),
                (SHOWN.contains(entry.standing()) ? value(column, entry.reading(column.metric())) + " · " : "")
                        + place(entry)
                        + (entry.jdk().none() ? "" : " · JDK " + entry.jdk().shortVersion()));
    }

    private static String value(BoardColumn column, @Nullable MetricReading reading) {
        if (reading == null) {
            return column.text() + " not measured";
        }
        if (!reading.eligible()) {
            return column.text() + " not judged";
        }
        String unit = " " + column.scale().unit();
        return column.text() + " "
                + (reading.low() == null || reading.high() == null
                        ? column.scale().rough(reading.mean()) + unit + ", one trial"
                        : column.scale().text(reading.mean()) + unit + " ("
                                + column.scale().range(reading.low(), reading.high()) + ")");
    }

    private static String place(Entry entry) {
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
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            XMLStreamWriter xml =
                    XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(bytes, StandardCharsets.UTF_8.name());
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("svg");
            xml.writeDefaultNamespace("http://www.w3.org/2000/svg");
            attributes(xml, "width", number(left + right), "height", "20", "role", "img", "aria-label", text());
            xml.writeStartElement("title");
            xml.writeCharacters(text());
            xml.writeEndElement();
            box(xml, 0, left, "#3a4149");
            box(xml, left, right, "#3b4cca");
            xml.writeStartElement("g");
            attributes(xml, "fill", "#fff", "font-family", "Verdana,DejaVu Sans,sans-serif", "font-size", "11");
            line(xml, 0, name);
            line(xml, left, result);
            xml.writeEndElement();
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a badge cannot be written", e);
        }
        return bytes.toByteArray();
    }

    private String text() {
        return name + ": " + result;
    }

    private static double width(String text) {
        return text.codePointCount(0, text.length()) * LETTER + 2 * PADDING;
    }

    private static void box(XMLStreamWriter xml, double x, double width, String fill) throws XMLStreamException {
        xml.writeEmptyElement("rect");
        attributes(xml, "x", number(x), "width", number(width), "height", String.valueOf(HEIGHT), "fill", fill);
    }

    private static void line(XMLStreamWriter xml, double x, String text) throws XMLStreamException {
        xml.writeStartElement("text");
        attributes(
                xml,
                "x",
                number(x + PADDING),
                "y",
                String.valueOf(BASELINE),
                "textLength",
                number(width(text) - 2 * PADDING),
                "lengthAdjust",
                "spacingAndGlyphs");
        xml.writeCharacters(text);
        xml.writeEndElement();
    }

    private static void attributes(XMLStreamWriter xml, String... namesAndValues) throws XMLStreamException {
        for (int i = 0; i < namesAndValues.length; i += 2) {
            xml.writeAttribute(namesAndValues[i], namesAndValues[i + 1]);
        }
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
