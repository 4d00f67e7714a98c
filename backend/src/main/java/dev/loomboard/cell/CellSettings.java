package dev.loomboard.cell;

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

    public CellSettings {
        jvmOptions = List.copyOf(jvmOptions);
    }
}
