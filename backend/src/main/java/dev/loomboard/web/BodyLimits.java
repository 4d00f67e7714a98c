package dev.loomboard.web;

/**
 * How large a request's body may be.
 *
 * @param raw bytes on the wire
 * @param inflated bytes after gzip
 */
record BodyLimits(long raw, long inflated) {

    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;

    /** What an agent uploads; the wire contract states these two. */
    static final BodyLimits UPLOAD = new BodyLimits(4 * MIB, 32 * MIB);

    /** Forms and other calls. */
    static final BodyLimits OTHER = new BodyLimits(256 * KIB, MIB);

    static BodyLimits of(String path) {
        return path.startsWith("/api/agent/") ? UPLOAD : OTHER;
    }
}
