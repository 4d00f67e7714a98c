package dev.loomboard.session;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A browser in a few words, such as "Firefox on Linux", of what it says of itself; the rest of that is not stored. */
final class BrowserName {

    private record Known(String mark, String name) {}

    /** In this order: most browsers also name those that they want to be taken for. */
    private static final List<Known> BROWSERS = List.of(
            new Known("Edg", "Edge"),
            new Known("OPR/", "Opera"),
            new Known("Firefox/", "Firefox"),
            new Known("FxiOS/", "Firefox"),
            new Known("CriOS/", "Chrome"),
            new Known("Chrome/", "Chrome"),
            new Known("Safari/", "Safari"),
            new Known("curl/", "curl"));

    private static final List<Known> SYSTEMS = List.of(
            new Known("Android", "Android"),
            new Known("iPhone", "iOS"),
            new Known("iPad", "iOS"),
            new Known("Windows", "Windows"),
            new Known("Macintosh", "macOS"),
            new Known("CrOS", "ChromeOS"),
            new Known("Linux", "Linux"));

    private BrowserName() {}

    /** @param userAgent as the browser sent it; null: it sent none */
    static String of(@Nullable String userAgent) {
        String text = userAgent == null ? "" : userAgent;
        String browser = first(BROWSERS, text);
        String system = first(SYSTEMS, text);
        if (browser.isEmpty()) {
            return system.isEmpty() ? "unknown browser" : "a browser on " + system;
        }
        return system.isEmpty() ? browser : browser + " on " + system;
    }

    private static String first(List<Known> known, String text) {
        return known.stream()
                .filter(one -> text.contains(one.mark()))
                .map(Known::name)
                .findFirst()
                .orElse("");
    }
}
