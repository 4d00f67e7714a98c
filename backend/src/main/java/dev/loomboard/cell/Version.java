package dev.loomboard.cell;

/**
 * One version of what is measured.
 *
 * @param version of a server the digest of its artefact, of a workload a number
 */
public record Version(Kind kind, String name, String version) {

    /** What is versioned. */
    public enum Kind implements WireName {
        SERVER,
        WORKLOAD
    }

    private static final int SHORT = 12;

    /** Such as "server spring-mvc 3f2a90c1d2e4": digests are told apart by their beginning. */
    public String words() {
        return kind == Kind.SERVER
                ? "server " + name + " " + version.substring(0, Math.min(SHORT, version.length()))
                : "workload " + name + " version " + version;
    }
}
