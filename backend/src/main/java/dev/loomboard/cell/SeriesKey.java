package dev.loomboard.cell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What stays the same along a history, as one text that never changes for the same cell. {@code s1} is the version of
 * the form: a new form is a new version, and old histories end.
 *
 * @param series {@code s1|machine|server|…|metric|track}, its parts in the order of {@link Part}
 * @param family the key without the track: one chart, one line per track
 */
public record SeriesKey(String series, String family) {

    private static final String VERSION = "s1";

    /** The parts of a key, in their order. Migrations name them by their place in it, of which the version is the first. */
    public enum Part {
        MACHINE,
        SERVER,
        VARIANT,
        SCENARIO,
        COLLECTOR,
        JVM_OPTIONS,
        LIMITS,
        PLACEMENT,
        PROTOCOL,
        METRIC,
        TRACK
    }

    /** @param parts one that is absent is empty */
    public static SeriesKey of(Map<Part, String> parts) {
        StringBuilder key = new StringBuilder(VERSION);
        String family = "";
        for (Part part : Part.values()) {
            family = part == Part.TRACK ? key.toString() : family;
            key.append('|').append(escaped(parts.getOrDefault(part, "")));
        }
        return new SeriesKey(key.toString(), family);
    }

    /** A series' key with some parts left empty: what two series share that may differ in them. */
    public static String without(String series, Set<Part> left) {
        List<String> parts = new ArrayList<>(List.of(series.split("\\|", -1)));
        left.forEach(part -> parts.set(1 + part.ordinal(), ""));
        return String.join("|", parts);
    }

    /** A bar within a part must not look like one between parts. */
    private static String escaped(String part) {
        return part.replace("%", "%25").replace("|", "%7C");
    }
}
