package dev.loomboard.machine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What became other of a host.
 *
 * @param since when its agent first said so
 * @param comparable whether its fingerprint stayed, so that points of before and after are compared
 * @param differences by fact
 */
public record HostChange(Instant since, boolean comparable, List<Difference> differences) {

    private static final String AGENT = "agent";

    public HostChange {
        differences = List.copyOf(differences);
    }

    /**
     * @param before null: it was not told
     * @param after null: it is not told any more
     */
    public record Difference(
            String fact, @Nullable String before, @Nullable String after) {}

    /** A host as it was from a time on. */
    record State(Instant since, String fingerprintHash, String agentVersion, Map<String, Object> facts) {

        Map<String, String> named() {
            Map<String, String> named = Facts.flat(facts).stream()
                    .collect(Collectors.toMap(Facts.Fact::name, Facts.Fact::value, (one, other) -> one, TreeMap::new));
            named.put(AGENT, agentVersion);
            return named;
        }
    }

    /** @param states newest first; the oldest is what all began with, so nothing is said of it */
    static List<HostChange> between(List<State> states) {
        List<HostChange> changes = new ArrayList<>();
        for (int i = 0; i + 1 < states.size(); i++) {
            changes.add(between(states.get(i + 1), states.get(i)));
        }
        return List.copyOf(changes);
    }

    private static HostChange between(State old, State young) {
        Map<String, String> before = old.named();
        Map<String, String> after = young.named();
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        return new HostChange(
                young.since(),
                young.fingerprintHash().equals(old.fingerprintHash()),
                names.stream()
                        .filter(name -> !Objects.equals(before.get(name), after.get(name)))
                        .map(name -> new Difference(name, before.get(name), after.get(name)))
                        .toList());
    }
}
