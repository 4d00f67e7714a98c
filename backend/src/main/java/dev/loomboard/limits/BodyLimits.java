package dev.loomboard.limits;

/**
 * How large a request's body may be.
 *
 * @param raw bytes on the wire
 * @param inflated bytes after gzip
 * @param upload a part of what all uploads together may take of the heap
 */
record BodyLimits(long raw, long inflated, boolean upload) {

    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;

    private static final String TRIALS = "/api/agent/v1/trials/";

    /** A batch of a trial; the wire contract states these two. */
    static final BodyLimits BATCH = new BodyLimits(4 * MIB, 32 * MIB, true);

    /** A file of a diagnostic trial. */
    static final BodyLimits ARTEFACT = new BodyLimits(4 * MIB, 8 * MIB, true);

    /** Other calls of programs. */
    static final BodyLimits CALL = new BodyLimits(MIB, MIB, false);

    /** A form, which anybody may send. */
    static final BodyLimits FORM = new BodyLimits(64 * KIB, 64 * KIB, false);

    static BodyLimits of(String path) {
        if (path.startsWith(TRIALS)) {
            return path.contains("/artefacts/") ? ARTEFACT : BATCH;
        }
        return path.startsWith("/api/") ? CALL : FORM;
    }
}
