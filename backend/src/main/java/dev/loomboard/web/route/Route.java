package dev.loomboard.web.route;

import dev.loomboard.kernel.Caller;
import java.util.List;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * One row of the table in {@link Routes}.
 *
 * @param pattern exactly as the controller's mapping writes it: a test compares the two
 * @param access any of these suffices
 */
public record Route(HttpMethod method, PathPattern pattern, List<Access> access) {

    public static Route of(HttpMethod method, String pattern, Access... access) {
        if (access.length == 0) {
            throw new IllegalArgumentException("route " + method + " " + pattern + " admits nobody");
        }
        return new Route(method, PathPatternParser.defaultInstance.parse(pattern), List.of(access));
    }

    boolean matches(HttpMethod asked, PathContainer path) {
        boolean same = method.equals(asked) || (method.equals(HttpMethod.GET) && asked.equals(HttpMethod.HEAD));
        return same && pattern.matches(path);
    }

    public boolean admits(Caller caller) {
        return access.stream().anyMatch(a -> a.admits(caller));
    }

    /** Such as {@code GET}. */
    public String verb() {
        return method.name();
    }

    /** Such as {@code /runs/{runId}}. */
    public String path() {
        return pattern.getPatternString();
    }

    @Override
    public String toString() {
        return verb() + " " + path();
    }
}
