package dev.loomboard.bundle;

import dev.loomboard.limits.BodyLimits;

/** How large a bundle and its members may be: nothing is read beyond. {@code api/bundle-v1.md} states these. */
public final class BundleSizes {

    private static final long MIB = 1024 * 1024;

    /** Of the file, as requests may bring it. */
    public static final long FILE = BodyLimits.BUNDLE_BYTES;

    /** Of all members unpacked. */
    public static final long UNPACKED = 1024 * MIB;

    /** Of the manifest, and of {@code run.json}. */
    private static final long DESCRIPTION = 8 * MIB;

    /** As on the wire. */
    private static final long BATCH = 32 * MIB;

    public static final long ARTEFACT = 8 * MIB;

    private static final long TABLE = 256 * MIB;

    private BundleSizes() {}

    /** Of a member of that name. */
    public static long of(String member) {
        if (member.equals(MemberNames.MANIFEST) || member.equals(MemberNames.RUN)) {
            return DESCRIPTION;
        }
        if (member.equals(MemberNames.TABLE)) {
            return TABLE;
        }
        return member.contains("/artefacts/") ? ARTEFACT : BATCH;
    }
}
