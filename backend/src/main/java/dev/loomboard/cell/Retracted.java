package dev.loomboard.cell;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * That the server or workload of a result was found wrong, in the version it was measured with.
 *
 * @param id external id of the retraction
 * @param kind server or workload; @param version as {@link Version}
 * @param reason in words; @param by whose word it is
 */
public record Retracted(
        String id, Version.Kind kind, String name, String version, String reason, Instant at, String by) {

    /** How a retracted result stands, whatever it would be otherwise. */
    public static final String STANDING = "retracted";

    /** What, when, by whom and why, as one sentence. */
    public String words() {
        return "retracted: " + reason + " (" + new Version(kind, name, version).words() + ", "
                + LocalDate.ofInstant(at, ZoneOffset.UTC) + ", " + by + ")";
    }
}
