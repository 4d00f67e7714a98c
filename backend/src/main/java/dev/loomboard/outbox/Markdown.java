package dev.loomboard.outbox;

import dev.loomboard.view.Format;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Text in Markdown as GitHub reads it. */
final class Markdown {

    private static final Pattern MARKS = Pattern.compile("[\\\\`*_\\[\\]<>&|~$]");
    /** Who or what GitHub would look up, and tell that it was named: a comment between keeps it from that, a backslash does not. */
    private static final Pattern CALLS = Pattern.compile("[@#]");

    private static final Pattern TICKS = Pattern.compile("`+");

    private Markdown() {}

    /** What machines and people named: as code, in which nothing is mark-up, a link, or a name that calls somebody. */
    static String name(String text) {
        String line = line(text);
        int longest = TICKS.matcher(line)
                .results()
                .map(MatchResult::group)
                .mapToInt(String::length)
                .max()
                .orElse(0);
        String fence = "`".repeat(longest + 1);
        String pad = longest == 0 ? "" : " ";
        return line.isBlank() ? "" : fence + pad + line + pad + fence;
    }

    /** A sentence of ours. */
    static String escaped(String text) {
        String marked = MARKS.matcher(line(text)).replaceAll("\\\\$0");
        return CALLS.matcher(marked).replaceAll("$0<!-- -->");
    }

    /** One line, of characters that every font has. */
    static String line(String text) {
        return text.replace(Format.THIN, ' ').replaceAll("\\p{Cntrl}", " ");
    }
}
