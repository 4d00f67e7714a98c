package dev.loomboard.picture;

/** The colours of light pages, as tokens.css has them. */
final class Ink {

    static final String PAPER = "#fbfaf7";
    static final String SUNKEN = "#f3f1eb";
    static final String INK = "#1b1f24";
    static final String MUTED = "#5c6670";
    static final String LINE = "#e3e0d8";
    static final String STRONG = "#c9c4b8";
    static final String GOOD = "#0b7a53";
    static final String BAD = "#b3261e";

    /** Virtual threads, platform threads, event loop, other, muted. */
    private static final String[] LINES = {"#3b4cca", "#c7721a", "#0b8f86", "#7a5195", MUTED};

    private Ink() {}

    /** @param number from 1, as a chart's lines have it */
    static String line(int number) {
        return LINES[(number - 1) % LINES.length];
    }

    /** @param word good, bad or muted */
    static String mark(String word) {
        return switch (word) {
            case "good" -> GOOD;
            case "bad" -> BAD;
            default -> MUTED;
        };
    }
}
