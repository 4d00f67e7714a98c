package dev.loomboard.web;

import dev.loomboard.kernel.Digest;
import java.util.HexFormat;

/** The {@code ETag} of an answer, by which a browser that has it already gets 304. */
final class EntityTag {

    private static final int BYTES = 16;

    private EntityTag() {}

    /** Weak, because a proxy may send the same answer compressed to those who can read that. */
    static String of(byte[] body) {
        return "W/\"" + HexFormat.of().formatHex(Digest.sha256(body), 0, BYTES) + "\"";
    }
}
