package dev.loomboard.leaderboard;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Every server that has results, by name. */
public record ServerListPage(List<Measured> variants) implements Page, PageTwin {

    /** @param scenarios under how many loads it was measured */
    public record Measured(@JsonUnwrapped ServerVariant server, int scenarios, Instant lastAt) {}

    public Map<String, List<Measured>> byServer() {
        return variants.stream()
                .collect(Collectors.groupingBy(
                        variant -> variant.server().name(), LinkedHashMap::new, Collectors.toList()));
    }

    @Override
    public String template() {
        return "leaderboard/servers.jte";
    }
}
