package dev.loomboard.picture;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes a picture. Texts are of any content: what XML cannot say is written as U+FFFD. */
public final class Svg {

    private static final String FONT = "system-ui,Segoe UI,Roboto,DejaVu Sans,sans-serif";

    /** Of a letter of a sans-serif font at 1 px, on average. */
    private static final double LETTER = 0.56;

    private static final char UNKNOWN = '\ufffd';

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final XMLStreamWriter xml;

    @FunctionalInterface
    private interface Step {
        void write() throws XMLStreamException;
    }

    /** @param label what the picture is, in words */
    public Svg(double width, double height, String label) {
        try {
            xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(bytes, StandardCharsets.UTF_8.name());
        } catch (XMLStreamException e) {
            throw failed(e);
        }
        write(() -> {
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("svg");
            xml.writeDefaultNamespace("http://www.w3.org/2000/svg");
        });
        attributes(
                "width",
                number(width),
                "height",
                number(height),
                "viewBox",
                "0 0 " + number(width) + " " + number(height),
                "role",
                "img",
                "aria-label",
                label,
                "font-family",
                FONT);
        begin("title");
        write(() -> xml.writeCharacters(clean(label)));
        end();
    }

    /** Estimated: a picture cannot ask which font its reader has. */
    public static double width(String text, double size) {
        return text.codePointCount(0, text.length()) * size * LETTER;
    }

    /** As much of a text as there is room for, and that there is more; empty: not even a letter. */
    public static String fitting(String text, double size, double room) {
        if (width(text, size) <= room) {
            return text;
        }
        int most = (int) (room / (size * LETTER)) - 1;
        return most < 1 ? "" : text.substring(0, text.offsetByCodePoints(0, most)) + "…";
    }

    public static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    public void begin(String element, String... namesAndValues) {
        write(() -> xml.writeStartElement(element));
        attributes(namesAndValues);
    }

    public void end() {
        write(xml::writeEndElement);
    }

    public void empty(String element, String... namesAndValues) {
        write(() -> xml.writeEmptyElement(element));
        attributes(namesAndValues);
    }

    /** A line of text from (x, y), or to it with {@code text-anchor}. */
    public void text(String words, double x, double y, double size, String fill, String... namesAndValues) {
        begin("text", "x", number(x), "y", number(y), "font-size", number(size), "fill", fill);
        attributes(namesAndValues);
        write(() -> xml.writeCharacters(clean(words)));
        end();
    }

    public void box(double x, double y, double width, double height, String fill, String... namesAndValues) {
        empty("rect", "x", number(x), "y", number(y), "width", number(width), "height", number(height), "fill", fill);
        attributes(namesAndValues);
    }

    /** A path that is drawn and not filled; an empty one is left out. */
    public void stroke(String path, String colour, double width, String... namesAndValues) {
        if (!path.isEmpty()) {
            empty("path", "d", path, "fill", "none", "stroke", colour, "stroke-width", number(width));
            attributes(namesAndValues);
        }
    }

    /** What was written; nothing may be written after it. */
    public byte[] bytes() {
        write(() -> {
            xml.writeEndDocument();
            xml.close();
        });
        return bytes.toByteArray();
    }

    private void attributes(String... namesAndValues) {
        write(() -> {
            for (int i = 0; i < namesAndValues.length; i += 2) {
                xml.writeAttribute(namesAndValues[i], clean(namesAndValues[i + 1]));
            }
        });
    }

    private static void write(Step step) {
        try {
            step.write();
        } catch (XMLStreamException e) {
            throw failed(e);
        }
    }

    private static IllegalStateException failed(XMLStreamException e) {
        return new IllegalStateException("a picture cannot be written", e);
    }

    /** Of code points XML 1.0 has all but most controls, halves of pairs and two non-characters. */
    private static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().forEach(c -> clean.appendCodePoint(isOfXml(c) ? c : UNKNOWN));
        return clean.toString();
    }

    private static boolean isOfXml(int c) {
        return c == '\t'
                || c == '\n'
                || c == '\r'
                || c >= 0x20 && c <= 0xd7ff
                || c >= 0xe000 && c <= 0xfffd
                || c > 0xffff;
    }
}
