package dev.loomboard.leaderboard;

import dev.loomboard.kernel.WireName;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.Urls;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the URL of the leaderboard says; a parameter that is absent filters nothing.
 *
 * @param scenario slug, or canonical key as older addresses have it; absent: the one that says most
 * @param jdk as {@link BuildChoice} has it; absent: what that takes
 * @param machine external id
 * @param sort metric to order by; absent: the headline
 * @param view absent: the table
 * @param upright metric of the chart's upright axis; absent: what the board ranks by, if that is a latency
 * @param across metric of the other; absent: memory
 * @param allColumns whether the table has every column that was measured
 * @param page of the table, from 1
 */
record BoardQuery(
        @Nullable String scenario,
        @Nullable String jdk,
        @Nullable String server,
        @Nullable String framework,
        @Nullable String model,
        @Nullable String collector,
        @Nullable String machine,
        @Nullable String sort,
        @Nullable View view,
        @Nullable String upright,
        @Nullable String across,
        boolean allColumns,
        int page) {

    /** What is shown in place of the table. */
    enum View implements WireName {
        /** Latency against memory. */
        PARETO
    }

    static final String UNKNOWN = "unknown";

    static final String UPRIGHT = "y";
    static final String ACROSS = "x";
    static final String COLUMNS = "columns";
    static final String ALL = "all";

    static BoardQuery of(Map<String, String> query) {
        return new BoardQuery(
                query.get("scenario"),
                query.get(BuildChoice.PARAMETER),
                query.get("server"),
                query.get("framework"),
                query.get("model"),
                query.get("collector"),
                query.get("machine"),
                query.get("sort"),
                WireName.find(View.class, query.getOrDefault("view", "")).orElse(null),
                query.get(UPRIGHT),
                query.get(ACROSS),
                ALL.equals(query.get(COLUMNS)),
                page(query.get("page")));
    }

    /** What is no page is the first. */
    private static int page(@Nullable String text) {
        return text != null && text.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(text) : 1;
    }

    /** Whether it passes the filters; of which build it is to be is chosen before. */
    boolean admits(EntrySummary entry) {
        return (server == null || server.equals(entry.server().name()))
                && (framework == null || framework.equals(entry.frameworkName()))
                && (model == null || model.equals(entry.server().model().wire()))
                && (collector == null || collector.equals(entry.settings().collector()))
                && (machine == null || machine.equals(entry.machine().id()));
    }

    boolean filters() {
        return server != null || framework != null || model != null || collector != null || machine != null;
    }

    boolean pareto() {
        return view == View.PARETO;
    }

    /** Whether this scenario is asked for. */
    boolean asksFor(String key) {
        return key.equals(scenario) || ScenarioText.of(key).slug().equals(scenario);
    }

    /**
     * Without the page: another filter begins at the first.
     *
     * @param shown the scenario that is, whether it was asked for or not
     */
    Query query(ScenarioText shown) {
        Map<String, String> values = new TreeMap<>();
        put(values, BuildChoice.PARAMETER, jdk);
        put(values, "server", server);
        put(values, "framework", framework);
        put(values, "model", model);
        put(values, "collector", collector);
        put(values, "machine", machine);
        put(values, "sort", sort);
        put(values, "view", view == null ? null : view.wire());
        put(values, UPRIGHT, upright);
        put(values, ACROSS, across);
        put(values, COLUMNS, allColumns ? ALL : null);
        return new Query(Urls.leaderboard(shown.slug()), values);
    }

    private static void put(Map<String, String> values, String name, @Nullable String value) {
        if (value != null) {
            values.put(name, value);
        }
    }
}
