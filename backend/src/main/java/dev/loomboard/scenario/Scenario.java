package dev.loomboard.scenario;

import dev.loomboard.kernel.WireName;
import dev.loomboard.scenario.Load.Profile;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A workload with its parameters and a load. Its key is the text by which tables and addresses name it, such as
 * {@code io@1?delayMs=100;constant:rate=300,seconds=12}; {@link CanonicalText#scenarioKey} writes it.
 *
 * @param version of the workload
 * @param params sorted by name
 * @param delay of the server's database; null: no proxy stands between
 */
public record Scenario(
        String key,
        String workload,
        int version,
        Map<String, String> params,
        @Nullable DatabaseDelay delay,
        Load load) {

    /** Reads a key; empty: it has not the form of one. */
    public static Optional<Scenario> parse(String key) {
        try {
            return Parts.of(key)
                    .map(parts -> new Scenario(
                            key,
                            parts.workload(),
                            Integer.parseInt(parts.version()),
                            parts.params(),
                            parts.delay(),
                            load(parts)));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    /**
     * The parts of a key as it has them, also where an older form of a load lacks a value.
     *
     * @param load such as {@code constant:rate=300,seconds=12}
     */
    public record Parts(
            String workload,
            String version,
            Map<String, String> params,
            @Nullable DatabaseDelay delay,
            String load) {

        /** Empty: the text has not the form of a key. */
        public static Optional<Parts> of(String key) {
            int at = key.indexOf('@');
            int question = key.indexOf('?', Math.max(at, 0));
            int semicolon = key.indexOf(';', Math.max(question, 0));
            if (at < 0 || question < 0 || semicolon < 0) {
                return Optional.empty();
            }
            String load = key.substring(semicolon + 1);
            int end = load.startsWith("db=") ? load.indexOf(';') : -1;
            try {
                return Optional.of(new Parts(
                        key.substring(0, at),
                        key.substring(at + 1, question),
                        pairs(key.substring(question + 1, semicolon), "&"),
                        end < 0 ? null : delay(load.substring("db=".length(), end)),
                        load.substring(end + 1)));
            } catch (IllegalArgumentException unreadable) {
                return Optional.empty();
            }
        }

        /** Of the load; null: none is known by its name. */
        public @Nullable Profile profile() {
            return WireName.find(Profile.class, load.substring(0, Math.max(0, load.indexOf(':'))))
                    .orElse(null);
        }

        /** Of the load, by name. */
        public Map<String, String> values() {
            return pairs(load.substring(load.indexOf(':') + 1), ",");
        }

        /** The key without the load: what is asked of the server, however often. */
        public String request() {
            return workload + "@" + version + params + delay;
        }

        private static DatabaseDelay delay(String text) {
            String[] ms = text.split("\\+", 2);
            return new DatabaseDelay(Integer.parseInt(ms[0]), Integer.parseInt(ms[ms.length - 1]));
        }
    }

    private static Load load(Parts parts) {
        Values of = new Values(parts.values());
        return switch (parts.profile()) {
            case CONSTANT -> new Load.Constant(of.number("rate"), of.number("seconds"));
            case POISSON -> new Load.Poisson(of.number("rate"), of.number("seconds"), of.whole("seed"));
            case STEPS -> new Load.Steps(of.numbers("rates"), of.number("seconds"));
            case RAMP ->
                new Load.Ramp(
                        of.number("start"),
                        of.number("step"),
                        of.number("seconds"),
                        of.number("quietSeconds"),
                        of.number("settleSeconds"),
                        of.whole("stopAfterFailed"),
                        of.whole("maxSteps"));
            case SEARCH ->
                new Load.Search(
                        of.number("start"),
                        of.number("maxRate"),
                        of.number("seconds"),
                        of.number("discardSeconds"),
                        of.number("precision"),
                        of.whole("confirmations"),
                        of.number("confirmSeconds"),
                        of.whole("maxSteps"),
                        of.whole("curveSteps"),
                        of.has("curveShares") ? of.numbers("curveShares") : List.of(),
                        new Load.Search.Objective(
                                of.number("quantile"),
                                of.number("responseMs"),
                                of.number("success"),
                                of.number("achieved")));
            case CLOSED -> new Load.Closed(of.whole("connections"), of.number("seconds"));
            case BATCH -> new Load.Batch(of.whole("preRuns"), of.whole("runs"));
            case null -> throw new IllegalArgumentException("unknown load profile: " + parts.load());
        };
    }

    private record Values(Map<String, String> byName) {
        private String text(String name) {
            String value = byName.get(name);
            if (value == null) {
                throw new IllegalArgumentException("the load has no " + name);
            }
            return value;
        }

        double number(String name) {
            return Double.parseDouble(text(name));
        }

        int whole(String name) {
            return Integer.parseInt(text(name));
        }

        boolean has(String name) {
            return byName.containsKey(name);
        }

        List<Double> numbers(String name) {
            return Arrays.stream(byName.getOrDefault(name, "").split("[+ ]"))
                    .map(Double::valueOf)
                    .toList();
        }
    }

    private static Map<String, String> pairs(String text, String separator) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : text.split(separator)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                pairs.put(
                        URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return pairs;
    }
}
