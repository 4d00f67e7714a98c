package dev.loomboard.jdk;

import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builds, newest first.
 *
 * @param feature null: of every feature release
 */
public record JdkListPage(@Nullable Integer feature, List<JdkView> builds) implements Page, PageTwin {

    public Map<Integer, List<JdkView>> byFeature() {
        return builds.stream()
                .collect(
                        Collectors.groupingBy(build -> build.jdk().feature(), LinkedHashMap::new, Collectors.toList()));
    }

    /** Builds of early access and releases flow into one history: the last before this one, of the same vendor. */
    public @Nullable JdkView before(JdkView build) {
        int place = builds.indexOf(build);
        return builds.stream()
                .skip(place + 1L)
                .filter(b -> b.jdk().vendor().equals(build.jdk().vendor())
                        && b.jdk().feature() == build.jdk().feature()
                        && b.results() > 0)
                .findFirst()
                .orElse(null);
    }

    @Override
    public String template() {
        return "jdk/list.jte";
    }
}
