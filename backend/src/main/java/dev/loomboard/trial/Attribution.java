package dev.loomboard.trial;

import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What held a step's late hits, as the page shows it; see the agent's rule on the methodology page. */
public final class Attribution {

    /** Causes as the wire has them, deepest first, and what people read. */
    public static final Map<String, String> CAUSES = causes();

    private final JsonNode told;

    private Attribution(JsonNode told) {
        this.told = told;
    }

    /** One per measured step; empty when the agent said nothing. */
    static List<Attribution> of(JsonNode endFacts) {
        List<Attribution> steps = new ArrayList<>();
        endFacts.path("attribution").forEach(step -> steps.add(new Attribution(step)));
        return steps;
    }

    public int step() {
        return told.path("step").asInt();
    }

    public String boundaryMs() {
        return Format.three(told.path("boundaryNs").asDouble() / 1e6);
    }

    public long beyond() {
        return told.path("beyond").asLong();
    }

    public long examined() {
        return told.path("examined").asLong();
    }

    /** Null: that cause was not looked at. */
    public @Nullable Long count(String cause) {
        JsonNode count = told.path("causes").path(cause);
        return count.isNumber() ? (Long) count.asLong() : null;
    }

    private static Map<String, String> causes() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("stolen", "Stolen core");
        words.put("throttled", "CPU quota");
        words.put("gc", "Collection");
        words.put("safepoint", "Other safepoint");
        words.put("lock", "Lock");
        words.put("backlog", "Backlog");
        words.put("generator", "Generator");
        words.put("unknown", "Unknown");
        return words;
    }
}
