package dev.loomboard.web;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lines of CSV as RFC 4180 has them. */
public final class CsvText {

    private CsvText() {}

    /** @param cells a null one was not measured: it stays empty */
    public static String line(List<? extends @Nullable Object> cells) {
        return cells.stream().map(CsvText::cell).collect(Collectors.joining(",")) + "\r\n";
    }

    public static List<@Nullable Object> joined(List<@Nullable Object> head, List<? extends @Nullable Object> rest) {
        List<@Nullable Object> all = new ArrayList<>(head);
        all.addAll(rest);
        return all;
    }

    /** One that a spreadsheet would take for a formula is quoted with a leading apostrophe. */
    private static String cell(@Nullable Object value) {
        String text = value == null ? "" : value.toString();
        boolean number = value instanceof Number;
        if (!number && !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0) {
            text = "'" + text;
        }
        boolean plain = text.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
