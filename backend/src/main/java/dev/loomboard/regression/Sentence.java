package dev.loomboard.regression;

import java.util.Locale;

/** A stored reason as a sentence. */
public final class Sentence {

    private Sentence() {}

    public static String of(String reason) {
        String text = reason.substring(0, 1).toUpperCase(Locale.ROOT) + reason.substring(1);
        return text.endsWith(".") ? text : text + ".";
    }
}
