package dev.loomboard.cell;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the server of a cell is started, what it may have of its machine, and how its trials go.
 *
 * @param jvmOptions of the owner's, beside the collector
 * @param protocol such as quick/1
 */
public record CellSettings(String collector, List<String> jvmOptions, Limits limits, String protocol) {
    /** In place of a collector, of a server without a JVM. */
    public static final String NO_COLLECTOR = "none";

    /** In place of a collector: the JVM chooses it, and its heap. */
    public static final String DEFAULTS = "defaults";

    private static final String USUAL = "G1";

    public CellSettings {
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** What stands beside the name of a server in tables; null: its collector is the usual one, or it has none. */
    public static @Nullable String unusual(@Nullable String collector) {
        return switch (collector) {
            case null -> null;
            case USUAL, NO_COLLECTOR -> null;
            case DEFAULTS -> "collector and heap: the JVM's choice";
            default -> collector;
        };
    }

    /** The JVM chose collector and heap. */
    @JsonIgnore
    public boolean defaults() {
        return collector.equals(DEFAULTS);
    }

    /** All of it, but with another collector. */
    public CellSettings with(String other) {
        return new CellSettings(other, jvmOptions, limits, protocol);
    }
}
