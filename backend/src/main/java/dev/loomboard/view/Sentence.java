package dev.loomboard.view;

import java.util.Locale;

/** A stored reason as a sentence: a capital letter first, a full stop last. */
public final class Sentence {

    private Sentence() {}

    public static String of(String reason) {
        String text = reason.substring(0, 1).toUpperCase(Locale.ROOT) + reason.substring(1);
        return text.endsWith(".") ? text : text + ".";
    }
}
