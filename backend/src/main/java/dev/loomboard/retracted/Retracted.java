package dev.loomboard.retracted;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * That a result was found wrong: the version of its server or workload, its machine or its run.
 *
 * @param id external id of the retraction
 * @param kind of what was found wrong
 * @param version as {@link Version}
 * @param reason in words
 * @param by whose word it is
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
