package dev.loomboard.leaderboard;

import dev.loomboard.show.Query;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the URL of the leaderboard says; a parameter that is absent filters nothing.
 *
 * @param scenario canonical key; absent: the one that says most
 * @param jdk slug of a build, or a feature release
 * @param machine external id
 * @param sort metric to order by; absent: the first that may be judged
 */
record Choices(
        @Nullable String scenario,
        @Nullable String jdk,
        @Nullable String model,
        @Nullable String collector,
        @Nullable String machine,
        @Nullable String sort) {

    static final Set<String> NAMES = Set.of("scenario", "jdk", "model", "collector", "machine", "sort");

    static Choices of(Map<String, String> query) {
        return new Choices(
                query.get("scenario"),
                query.get("jdk"),
                query.get("model"),
                query.get("collector"),
                query.get("machine"),
                query.get("sort"));
    }

    boolean admits(Entry entry) {
        return (jdk == null
                        || jdk.equals(entry.jdk().slug())
                        || jdk.equals(String.valueOf(entry.jdk().feature())))
                && (model == null || model.equals(entry.concurrencyModel()))
                && (collector == null || collector.equals(entry.collector()))
                && (machine == null || machine.equals(entry.machine()));
    }

    boolean filters() {
        return jdk != null || model != null || collector != null || machine != null;
    }

    Query query(String path) {
        Map<String, String> values = new TreeMap<>();
        put(values, "scenario", scenario);
        put(values, "jdk", jdk);
        put(values, "model", model);
        put(values, "collector", collector);
        put(values, "machine", machine);
        put(values, "sort", sort);
        return new Query(path, values);
    }

    private static void put(Map<String, String> values, String name, @Nullable String value) {
        if (value != null) {
            values.put(name, value);
        }
    }
}
