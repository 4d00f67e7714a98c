package dev.loomboard.web.route;

import dev.loomboard.web.Urls;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;

/** The links of the header. Only what this service serves is listed. */
public record Nav(String text, String href) {

    private static final List<Nav> ALL = List.of(
            new Nav("Leaderboard", Urls.leaderboard()),
            new Nav("Compare", Urls.compare()),
            new Nav("Regressions", Urls.regressions()),
            new Nav("Runs", Urls.runs()),
            new Nav("JDK builds", Urls.jdks()),
            new Nav("Machines", Urls.machines()),
            new Nav("Matrices", Urls.matrices()),
            new Nav("Schedules", Urls.schedules()));

    public static List<Nav> links() {
        return ALL.stream()
                .filter(link -> Routes.find(HttpMethod.GET, PathContainer.parsePath(link.href))
                        .isPresent())
                .toList();
    }

    /** {@code page} for the place itself, {@code true} for what lies below it, null elsewhere. */
    public @Nullable String current(String path) {
        String bare = path.contains("?") ? path.substring(0, path.indexOf('?')) : path;
        if (bare.equals(href) || (bare.equals("/") && href.equals(Urls.leaderboard()))) {
            return "page";
        }
        return bare.startsWith(href + "/") ? "true" : null;
    }
}
