package dev.loomboard.trial;

import java.util.LinkedHashMap;
import java.util.Map;

/** What can hold a late hit; see the agent's rule on the methodology page. */
public final class Attribution {

    /** Causes as the wire has them, deepest first, and what people read. */
    public static final Map<String, String> CAUSES = causes();

    private Attribution() {}

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
