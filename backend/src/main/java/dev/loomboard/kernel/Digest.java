package dev.loomboard.kernel;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which every JDK has. */
public final class Digest {

    private Digest() {}

    public static byte[] sha256(byte[] content) {
        return newSha256().digest(content);
    }

    /** For content that comes piece by piece. */
    public static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
