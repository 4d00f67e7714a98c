package dev.loomboard.view;

import dev.loomboard.catalog.Metric;
import dev.loomboard.scenario.DatabaseDelay;
import dev.loomboard.scenario.Load.Profile;
import dev.loomboard.scenario.Scenario;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A scenario in words, from its canonical key ({@code io@1?delayMs=100;constant:rate=300,seconds=12}).
 *
 * @param name the workload and what sets it apart: "io · 100 ms"
 * @param load how requests arrive: "300/s for 12 s"
 * @param connections that a closed load keeps busy; null: no closed load
 */
public record ScenarioText(
        String key,
        String workload,
        String name,
        String load,
        @Nullable Integer connections) {

    private static final String ABSENT = "not measured";

    public static ScenarioText of(String key) {
        return Scenario.Parts.of(key)
                .map(parts -> new ScenarioText(key, parts.workload(), name(parts), load(parts), connections(parts)))
                .orElseGet(() -> new ScenarioText(key, key, key, "", null));
    }

    private static String name(Scenario.Parts parts) {
        DatabaseDelay delay = parts.delay();
        String between = delay == null
                ? ""
                : "database " + delay.toDatabaseMs() + Format.THIN + "ms away, " + delay.fromDatabaseMs() + Format.THIN
                        + "ms back";
        String words = Stream.concat(parts.params().entrySet().stream().map(ScenarioText::param), Stream.of(between))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(", "));
        return words.isEmpty() ? parts.workload() : parts.workload() + " · " + words;
    }

    private static @Nullable Integer connections(Scenario.Parts parts) {
        String count = parts.profile() == Profile.CLOSED ? parts.values().get("connections") : null;
        return count == null ? null : Integer.valueOf(count);
    }

    /** What the highest rate of a search has to meet; null: its key is of no search. */
    public static @Nullable String objective(String key) {
        return Scenario.Parts.of(key)
                .filter(parts -> parts.profile() == Profile.SEARCH)
                .map(parts -> objective(parts.values()))
                .orElse(null);
    }

    /** Requests have no intended send times: then there is no response time, and no place beside open loads. */
    public boolean closed() {
        return connections != null;
    }

    /** Of a closed load; null: it is none. */
    public @Nullable String connectionsInWords() {
        return connections == null ? null : Format.of(connections, "connection");
    }

    /** A metric's title; service time of a closed load names its number of connections. */
    public String title(Metric metric) {
        return connections != null && metric.name().startsWith("service_")
                ? metric.title() + " at " + connectionsInWords()
                : metric.title();
    }

    /** Why a metric has no value. */
    public String absence(String metric) {
        return closed() && metric.startsWith("response_")
                ? ABSENT + " — closed load has no intended send times"
                : ABSENT;
    }

    /** As a part of an address: "io-100ms-300rps-12s". */
    public String slug() {
        return ScenarioSlug.of(key);
    }

    public String words() {
        return load.isEmpty() ? name : name + " · " + load;
    }

    private static String param(Map.Entry<String, String> param) {
        return switch (param.getKey()) {
            case "delayMs" -> param.getValue() + Format.THIN + "ms";
            case "size" -> param.getValue() + "×" + param.getValue();
            default -> param.getKey() + " " + param.getValue();
        };
    }

    private static String load(Scenario.Parts parts) {
        Map<String, String> values = parts.values();
        String seconds = values.getOrDefault("seconds", "?") + Format.THIN + "s";
        return switch (parts.profile()) {
            case CONSTANT -> rate(values.get("rate")) + " for " + seconds;
            case POISSON -> "random " + rate(values.get("rate")) + " for " + seconds;
            case RAMP ->
                "ramp from " + rate(values.get("start")) + " by " + values.getOrDefault("step", "?") + ", " + seconds
                        + " a step";
            case STEPS ->
                "steps of " + rate(values.getOrDefault("rates", "").replace("+", ", ")) + ", " + seconds + " each";
            case SEARCH -> "search for the highest rate with " + objective(values);
            case CLOSED -> values.getOrDefault("connections", "?") + " connections kept busy for " + seconds;
            case BATCH -> "its own task, " + values.getOrDefault("runs", "?") + " runs";
            case null -> parts.load();
        };
    }

    private static String objective(Map<String, String> values) {
        return percentile(values.get("quantile")) + " ≤ " + values.getOrDefault("responseMs", "?") + Format.THIN + "ms";
    }

    private static String percentile(@Nullable String quantile) {
        return quantile == null ? "?" : Format.percentile(Double.parseDouble(quantile));
    }

    private static String rate(@Nullable String rate) {
        return (rate == null ? "?" : rate) + "/s";
    }
}
