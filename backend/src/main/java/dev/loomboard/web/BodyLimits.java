package dev.loomboard.web;

/**
 * How large a request's body may be.
 *
 * @param raw bytes on the wire
 * @param inflated bytes after gzip
 */
record BodyLimits(long raw, long inflated) {

    private static final long MIB = 1024 * 1024;

    /** A batch of a trial; the wire contract states these two. */
    static final BodyLimits UPLOAD = new BodyLimits(4 * MIB, 32 * MIB);

    /** Everything else, what anonymous callers may send included. */
    static final BodyLimits OTHER = new BodyLimits(MIB, MIB);

    static BodyLimits of(String path) {
        return path.startsWith("/api/agent/v1/trials/") ? UPLOAD : OTHER;
    }
}
