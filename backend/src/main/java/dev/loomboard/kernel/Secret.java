package dev.loomboard.kernel;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.regex.Pattern;

/**
 * A secret of 256 random bits with a prefix by which people and scanners recognise it. Shown once, stored only as
 * {@link #hash}: SHA-256 suffices because the bits are random, where a password needs a slow hash.
 */
public record Secret(String value) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;
    private static final Pattern SHAPE = Pattern.compile("[a-z]{3}_[a-z2-7]{52}");

    public Secret {
        if (!SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException("secret must be a prefix and 52 characters of base32"); // never print it
        }
    }

    /**
     * A new secret; prefixes: lbr (machine registration), lba (agent), lbt (API token), lbs (session), lbl (link), lbc
     * (sign-in that waits for its code), lbi (invitation), lbo (visit to a provider).
     */
    public static Secret random(String prefix) {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new Secret(prefix + "_" + Base32.encode(bytes));
    }

    public static boolean isOf(String prefix, String text) {
        return text.startsWith(prefix + "_") && SHAPE.matcher(text).matches();
    }

    /** SHA-256 of the whole text, as the tables store it. */
    public byte[] hash() {
        return Digest.sha256(value.getBytes(StandardCharsets.US_ASCII));
    }

    /** The last four characters, to tell secrets apart in a list. */
    public String last4() {
        return value.substring(value.length() - 4);
    }

    @Override
    public String toString() {
        return value.substring(0, 4) + "…";
    }
}
