package dev.loomboard.jdkpages;

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

    public @Nullable JdkView before(JdkView build) {
        return JdkView.before(build, builds);
    }

    @Override
    public String template() {
        return "jdk/list.jte";
    }
}
