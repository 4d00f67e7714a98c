package dev.loomboard.view;

import dev.loomboard.catalog.Metric;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
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
public record Scenario(
        String key,
        String workload,
        String name,
        String load,
        @Nullable Integer connections) {

    private static final String ABSENT = "not measured";
    private static final String CLOSED = "closed:";
    private static final String SEARCH = ";search:";

    public static Scenario of(String key) {
        int at = key.indexOf('@');
        int question = key.indexOf('?', Math.max(at, 0));
        int semicolon = key.indexOf(';', Math.max(question, 0));
        if (at < 0 || question < 0 || semicolon < 0) {
            return new Scenario(key, key, key, "", null);
        }
        String workload = key.substring(0, at);
        String load = key.substring(semicolon + 1);
        String between = "";
        if (load.startsWith("db=") && load.indexOf(';') > 0) {
            String[] ms = load.substring("db=".length(), load.indexOf(';')).split("\\+", 2);
            between = "database " + ms[0] + Format.THIN + "ms away, " + ms[ms.length - 1] + Format.THIN + "ms back";
            load = load.substring(load.indexOf(';') + 1);
        }
        Map<String, String> params = pairs(key.substring(question + 1, semicolon), "&");
        String words = Stream.concat(params.entrySet().stream().map(Scenario::param), Stream.of(between))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(", "));
        String name = words.isEmpty() ? workload : workload + " · " + words;
        return new Scenario(key, workload, name, load(load), connections(load));
    }

    private static @Nullable Integer connections(String load) {
        String count = load.startsWith(CLOSED)
                ? pairs(load.substring(CLOSED.length()), ",").get("connections")
                : null;
        return count == null ? null : Integer.valueOf(count);
    }

    /** Requests have no intended send times: then there is no response time, and no place beside open loads. */
    public boolean closed() {
        return connections != null;
    }

    /** Of a search: what the highest rate has to meet; null: it is none. */
    public @Nullable String objective() {
        int load = key.lastIndexOf(SEARCH);
        return load < 0 ? null : objective(pairs(key.substring(load + SEARCH.length()), ","));
    }

    /** Of a closed load; null: it is none. */
    public @Nullable String connectionsInWords() {
        return connections == null ? null : Format.of(connections, "connection");
    }

    /** A metric's title; service time of a closed load is one at so many connections. */
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

    private static String load(String load) {
        int colon = load.indexOf(':');
        if (colon < 0) {
            return load;
        }
        Map<String, String> values = pairs(load.substring(colon + 1), ",");
        String seconds = values.getOrDefault("seconds", "?") + Format.THIN + "s";
        return switch (load.substring(0, colon)) {
            case "constant" -> rate(values.get("rate")) + " for " + seconds;
            case "poisson" -> "random " + rate(values.get("rate")) + " for " + seconds;
            case "ramp" ->
                "ramp from " + rate(values.get("start")) + " by " + values.getOrDefault("step", "?") + ", " + seconds
                        + " a step";
            case "steps" ->
                "steps of " + rate(values.getOrDefault("rates", "").replace("+", ", ")) + ", " + seconds + " each";
            case "search" -> "search for the highest rate with " + objective(values);
            case "closed" -> values.getOrDefault("connections", "?") + " connections kept busy for " + seconds;
            case "batch" -> "its own task, " + values.getOrDefault("runs", "?") + " runs";
            default -> load;
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

    private static Map<String, String> pairs(String text, String separator) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : text.split(separator)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                pairs.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return pairs;
    }
}
