package dev.loomboard.view;

import dev.loomboard.cell.ConcurrencyModel;
import java.util.stream.Stream;

/** The look of a concurrency model: one colour and one shape everywhere, and always its name. */
public enum ConcurrencyBadge {
    PLATFORM(ConcurrencyModel.PLATFORM_THREADS, "platform threads", "m-platform"),
    VIRTUAL(ConcurrencyModel.VIRTUAL_THREADS, "virtual threads", "m-virtual"),
    EVENT_LOOP(ConcurrencyModel.EVENT_LOOP, "event loop", "m-eventloop"),
    OTHER(ConcurrencyModel.OTHER, "other model", "m-other");

    private final ConcurrencyModel model;
    private final String words;
    private final String css;

    ConcurrencyBadge(ConcurrencyModel model, String words, String css) {
        this.model = model;
        this.words = words;
        this.css = css;
    }

    public static ConcurrencyBadge of(ConcurrencyModel model) {
        return Stream.of(values())
                .filter(badge -> badge.model == model)
                .findFirst()
                .orElse(OTHER);
    }

    public String words() {
        return words;
    }

    public String css() {
        return css;
    }

    /** An SVG path in a box of 10 × 10: square, disc, triangle, rhombus. */
    public String shape() {
        return switch (this) {
            case PLATFORM -> "M1 1H9V9H1Z";
            case VIRTUAL -> "M5 .5A4.5 4.5 0 1 1 4.99 .5Z";
            case EVENT_LOOP -> "M5 .8L9.6 9.2H.4Z";
            case OTHER -> "M5 0L10 5L5 10L0 5Z";
        };
    }
}
