package dev.loomboard.kernel;

import java.util.Locale;

/** Lower-case base32 (RFC 4648 alphabet) without padding: fits in URLs, host names and a telephone call. */
public final class Base32 {

    private Base32() {}

    public static String encode(byte[] bytes) {
        return org.bouncycastle.util.encoders.Base32.toBase32String(bytes)
                .replace("=", "")
                .toLowerCase(Locale.ROOT);
    }
}
