package dev.loomboard.view;

import dev.loomboard.kernel.Digest;
import dev.loomboard.scenario.Load.Profile;
import dev.loomboard.scenario.Scenario;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A scenario as a part of an address, for people: {@code io-100ms-300rps-12s}. The same key has the same for ever. Where the words do not tell
 * all that its key does, they end in the key's digest: {@code io-100ms-search-3f2a1b}.
 */
final class ScenarioSlug {

    private static final int DIGEST_BYTES = 3;
    private static final int LONGEST = 60;

    /** Words without a number, so that a parameter's cannot be taken for a part of it. */
    private static final Pattern WORKLOAD = Pattern.compile("[a-z]+(-[a-z]+)*");

    private static final Pattern WORD = Pattern.compile("[a-z0-9.]+");

    private ScenarioSlug() {}

    static String of(String key) {
        Scenario.Parts parts = Scenario.Parts.of(key).orElse(null);
        if (parts == null) {
            return withDigest(key, key);
        }
        List<String> params =
                parts.params().entrySet().stream().map(ScenarioSlug::param).toList();
        List<String> load = load(parts);
        boolean whole = load != null
                && parts.version().equals("1")
                && parts.delay() == null
                && WORKLOAD.matcher(parts.workload()).matches()
                && parts.params().values().stream()
                        .allMatch(value -> WORD.matcher(value).matches());
        String words = joined(parts.workload(), params, load == null ? List.of(profile(parts)) : load);
        return whole ? words : withDigest(words, key);
    }

    private static String joined(String workload, List<String> params, List<String> load) {
        return Stream.of(List.of(workload), params, load)
                .flatMap(List::stream)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining("-"));
    }

    private static String param(Map.Entry<String, String> param) {
        String value = param.getValue();
        return switch (param.getKey()) {
            case "delayMs" -> value + "ms";
            case "size" -> value + "x" + value;
            default -> param.getKey() + "-" + value;
        };
    }

    /** What tells it from every other of its kind; null: that would be too much. */
    private static @Nullable List<String> load(Scenario.Parts parts) {
        Map<String, String> values = parts.values();
        String seconds = values.get("seconds") + "s";
        Profile profile = parts.profile();
        if (profile == Profile.CONSTANT) {
            return List.of(values.get("rate") + "rps", seconds);
        }
        return profile == Profile.CLOSED ? List.of(values.get("connections") + "-connections", seconds) : null;
    }

    private static String profile(Scenario.Parts parts) {
        Profile profile = parts.profile();
        return profile == null ? "" : profile.wire();
    }

    private static String withDigest(String words, String key) {
        String readable =
                words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-").replaceAll("^-|-$", "");
        String digest = HexFormat.of().formatHex(Digest.sha256(key.getBytes(StandardCharsets.UTF_8)), 0, DIGEST_BYTES);
        return readable.substring(0, Math.min(readable.length(), LONGEST)) + "-" + digest;
    }
}
