package dev.loomboard.cell;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

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

    public CellSettings {
        jvmOptions = List.copyOf(jvmOptions);
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
