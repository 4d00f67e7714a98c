package dev.loomboard.view;

import java.util.Locale;

/** Words as sentences have them. */
public final class Sentence {

    private Sentence() {}

    /** A title within a sentence: without its capital letter, unless it begins with an abbreviation. */
    public static String within(String title) {
        return title.length() > 1 && Character.isUpperCase(title.charAt(1))
                ? title
                : title.substring(0, 1).toLowerCase(Locale.ROOT) + title.substring(1);
    }

    /** A stored reason: a capital letter first, a full stop last. */
    public static String of(String reason) {
        String text = reason.substring(0, 1).toUpperCase(Locale.ROOT) + reason.substring(1);
        return text.endsWith(".") ? text : text + ".";
    }
}
