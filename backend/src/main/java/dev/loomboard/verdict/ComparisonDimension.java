package dev.loomboard.verdict;

import dev.loomboard.cell.SeriesKey;
import dev.loomboard.cell.SeriesKey.Part;
import dev.loomboard.kernel.WireName;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a page sets side by side; {@link TestDimension} is what the tests of a run are declared for. All but builds and runs
 * are found by their series; what they must share is the rest of its key.
 */
public enum ComparisonDimension implements WireName {
    JDK("JDK builds", Set.of()),
    SERVER("servers and variants", Set.of(Part.SERVER, Part.VARIANT)),
    COLLECTOR("collectors", Set.of(Part.COLLECTOR)),
    LIMITS("limits of CPU and memory", Set.of(Part.LIMITS)),
    MACHINE("machine classes", Set.of(Part.MACHINE, Part.PLACEMENT)),
    RUN("runs", Set.of());

    /** The most candidates of one baseline. */
    public static final int MOST_CANDIDATES = 8;

    private final String words;
    private final Set<Part> own;

    ComparisonDimension(String words, Set<Part> own) {
        this.words = words;
        this.own = own;
    }

    /** In the plural. */
    public String words() {
        return words;
    }

    public static Optional<ComparisonDimension> of(String wire) {
        return WireName.find(ComparisonDimension.class, wire);
    }

    public static String all() {
        return Stream.of(values()).map(WireName::wire).collect(Collectors.joining(", "));
    }

    /** What two series must share to be compared: the key without what is compared. */
    public String rest(String seriesKey) {
        return SeriesKey.without(seriesKey, own);
    }

    /** Why two sides of different runs have no verdict. */
    public String apart() {
        return switch (this) {
            case RUN -> "not interleaved: host drift is not excluded";
            case MACHINE -> "measured on different machines, so their trials were not interleaved";
            case JDK, SERVER, COLLECTOR, LIMITS -> "measured in different runs, so their trials were not interleaved";
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
