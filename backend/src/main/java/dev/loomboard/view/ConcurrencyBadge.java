package dev.loomboard.view;

/** The look of a concurrency model: one colour and one shape everywhere, and always its name. */
public enum ConcurrencyBadge {
    PLATFORM("platform-threads", "platform threads", "m-platform"),
    VIRTUAL("virtual-threads", "virtual threads", "m-virtual"),
    EVENT_LOOP("event-loop", "event loop", "m-eventloop"),
    OTHER("other", "other model", "m-other");

    private final String key;
    private final String words;
    private final String css;

    ConcurrencyBadge(String key, String words, String css) {
        this.key = key;
        this.words = words;
        this.css = css;
    }

    public static ConcurrencyBadge of(String key) {
        for (ConcurrencyBadge model : values()) {
            if (model.key.equals(key)) {
                return model;
            }
        }
        return OTHER;
    }

    public String key() {
        return key;
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
