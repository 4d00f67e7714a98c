package dev.loomboard.scenario;

/** Conditions on a scenario's key, which {@link Scenario} reads in Java. */
public final class ScenarioSql {

    private ScenarioSql() {}

    /**
     * The version of its workload, as text.
     *
     * @param key column of a scenario's key
     */
    public static String workloadVersion(String key) {
        return " split_part(split_part(%s, '@', 2), '?', 1) ".formatted(key);
    }

    /**
     * Holds for closed loads.
     *
     * @param key column of a scenario's key
     */
    public static String closed(String key) {
        return " %s like '%%;closed:%%' ".formatted(key);
    }
}
