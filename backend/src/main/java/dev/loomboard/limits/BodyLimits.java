package dev.loomboard.limits;

/**
 * How large a request's body may be.
 *
 * @param raw bytes on the wire
 * @param inflated bytes after gzip
 * @param upload a part of what all uploads together may take of the heap
 */
public record BodyLimits(long raw, long inflated, boolean upload) {

    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;

    /** Of the bundle of a run. */
    public static final long BUNDLE_BYTES = 64 * MIB;

    private static final String BUNDLES = "/api/v1/bundles";

    private static final String BUNDLE_FORM = "/runs/import";

    private static final String TRIALS = "/api/agent/v1/trials/";

    /** A batch of a trial; the wire contract states these two. */
    static final BodyLimits BATCH = new BodyLimits(4 * MIB, 32 * MIB, true);

    /** A file of a diagnostic trial. */
    static final BodyLimits ARTEFACT = new BodyLimits(4 * MIB, 8 * MIB, true);

    /** Other calls of programs. */
    static final BodyLimits CALL = new BodyLimits(MIB, MIB, false);

    /** A form, which anybody may send. */
    static final BodyLimits FORM = new BodyLimits(64 * KIB, 64 * KIB, false);

    /** A bundle: it goes into a file, never into the heap. */
    static final BodyLimits BUNDLE = new BodyLimits(BUNDLE_BYTES, BUNDLE_BYTES, false);

    /** A form that brings one, with its fields and the lines between. */
    static final BodyLimits BUNDLE_IN_FORM = new BodyLimits(BUNDLE_BYTES + 64 * KIB, BUNDLE_BYTES + 64 * KIB, false);

    static BodyLimits of(String path) {
        if (path.equals(BUNDLES)) {
            return BUNDLE;
        }
        if (path.equals(BUNDLE_FORM)) {
            return BUNDLE_IN_FORM;
        }
        if (path.startsWith(TRIALS)) {
            return path.contains("/artefacts/") ? ARTEFACT : BATCH;
        }
        return path.startsWith("/api/") ? CALL : FORM;
    }

    /** Whether it is passed on as it comes, for whoever asked to write it into a file. */
    boolean file() {
        return raw >= BUNDLE_BYTES;
    }
}
