package dev.loomboard.retracted;

import dev.loomboard.kernel.WireName;

/**
 * What results may be retracted by: one version of what is measured, a machine or a run.
 *
 * @param name of a machine its workspace and slug, of a run its title
 * @param version of a server the digest of its artefact, of a workload a number, of a machine or run its external id
 */
public record Version(Kind kind, String name, String version) {

    public enum Kind implements WireName {
        SERVER,
        WORKLOAD,
        MACHINE,
        RUN
    }

    private static final int SHORT = 12;

    /** Such as "server spring-mvc 3f2a90c1d2e4": the first characters are enough to distinguish digests. */
    public String words() {
        return switch (kind) {
            case SERVER -> "server " + name + " " + version.substring(0, Math.min(SHORT, version.length()));
            case WORKLOAD -> "workload " + name + " version " + version;
            case MACHINE -> "machine " + name;
            case RUN -> "run " + version;
        };
    }
}
