package dev.loomboard.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the machine's host was from some time on; null: its agent could not read it.
 *
 * @param fingerprint hash of all that must be the same for points to be compared
 * @param comparable false: points from here on stand apart from those before
 * @param changes what is another than before, in words; empty for the first
 */
public record HostState(
        Instant since,
        String fingerprint,
        @Nullable String kernel,
        @Nullable String firmware,
        @Nullable String governor,
        String agentVersion,
        boolean comparable,
        List<String> changes) {

    public HostState {
        changes = List.copyOf(changes);
    }

    /** As it is stored. */
    record Row(Instant since, String fingerprint, String agentVersion, Map<String, Object> facts) {}

    /**
     * @param rows oldest first
     * @param first when the oldest point that is shown was measured; what was over by then is left out
     */
    static List<HostState> timeline(List<Row> rows, @Nullable Instant first) {
        List<HostState> states = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            boolean over = first != null
                    && i + 1 < rows.size()
                    && !rows.get(i + 1).since().isAfter(first);
            if (!over) {
                states.add(of(states.isEmpty() ? null : rows.get(i - 1), rows.get(i)));
            }
        }
        return states;
    }

    private static HostState of(@Nullable Row before, Row row) {
        Map<String, String> facts = flat(row);
        return new HostState(
                row.since(),
                row.fingerprint(),
                facts.get("kernel.release"),
                firmware(facts),
                facts.get("cpu.governor"),
                row.agentVersion(),
                before == null || before.fingerprint().equals(row.fingerprint()),
                before == null ? List.of() : changes(flat(before), facts));
    }

    private static @Nullable String firmware(Map<String, String> facts) {
        // Before loomboard.host/2 they were among what is only shown.
        String firmware = facts.get(facts.containsKey("firmware.system") ? "firmware.system" : "shown.firmware");
        String microcode =
                facts.get(facts.containsKey("firmware.microcode") ? "firmware.microcode" : "shown.microcode");
        return microcode == null ? firmware : (firmware == null ? "" : firmware + ", ") + "microcode " + microcode;
    }

    private static List<String> changes(Map<String, String> before, Map<String, String> now) {
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(now.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(before.get(name), now.get(name)))
                .map(name -> name + " " + word(before.get(name)) + " → " + word(now.get(name)))
                .toList();
    }

    /** The first characters are enough to distinguish hashes. */
    private static String word(@Nullable String value) {
        return value == null ? "not known" : value.matches("[0-9a-f]{64}") ? value.substring(0, 8) + "…" : value;
    }

    private static Map<String, String> flat(Row row) {
        Map<String, String> flat = new TreeMap<>();
        add(flat, "", row.facts());
        flat.put("agent", row.agentVersion());
        return flat;
    }

    private static void add(Map<String, String> flat, String name, @Nullable Object value) {
        switch (value) {
            case null -> {}
            case Map<?, ?> map ->
                map.forEach((key, inner) -> add(flat, name.isEmpty() ? "" + key : name + "." + key, inner));
            case Object plain -> flat.put(name, plain.toString());
        }
    }
}
