package dev.loomboard.verdict;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a page sets side by side. All but builds are found by their series; what they must share is the rest of its key.
 *
 * @see dev.loomboard.series the form of the key: s1|machine|server|variant|scenario|collector|options|limits|placement|…
 */
public enum ComparisonDimension {
    JDK("JDK builds", Set.of()),
    SERVER("servers and variants", Set.of(2, 3)),
    COLLECTOR("collectors", Set.of(5)),
    LIMITS("limits of CPU and memory", Set.of(7)),
    MACHINE("machine classes", Set.of(1, 8)),
    RUN("runs", Set.of());

    /** One side against so many, at most. */
    public static final int MOST_CANDIDATES = 8;

    private final String words;
    private final Set<Integer> own;

    ComparisonDimension(String words, Set<Integer> own) {
        this.words = words;
        this.own = own;
    }

    /** In the plural. */
    public String words() {
        return words;
    }

    /** As written in addresses. */
    @JsonValue
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<ComparisonDimension> of(String wire) {
        return Stream.of(values())
                .filter(subject -> subject.wire().equals(wire))
                .findFirst();
    }

    public static String all() {
        return String.join(
                ", ", Stream.of(values()).map(ComparisonDimension::wire).toList());
    }

    /** What two series must share to be compared: the key without what is compared. */
    public String rest(String seriesKey) {
        List<String> parts = new ArrayList<>(List.of(seriesKey.split("\\|", -1)));
        for (int part : own) {
            parts.set(part, "");
        }
        return String.join("|", parts);
    }

    /** Why two sides of different runs have no verdict. */
    public String apart() {
        return switch (this) {
            case RUN -> "not interleaved: host drift is not excluded";
            case MACHINE -> "measured on different machines, so their trials did not take turns";
            case JDK, SERVER, COLLECTOR, LIMITS -> "measured in different runs, so their trials did not take turns";
        };
    }

    /** Limits as they stand in an address, where a comma parts two candidates; {@code none}: there are none. */
    public static String limits(String canonical) {
        return canonical.isEmpty() ? "none" : canonical.replace(',', '+');
    }

    /** What the column of the series holds for a value of an address. */
    public String stored(String value) {
        return this != LIMITS ? value : value.equals("none") ? "" : value.replace('+', ',');
    }
}
