package dev.loomboard.access;

import dev.loomboard.kernel.Digest;
import dev.loomboard.kernel.StartupRefusal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * By which the operator's monitoring proves itself. It is in no table: the figures are read most eagerly while the database
 * cannot be reached, and they are of the whole installation, so that no workspace may make such a token.
 *
 * @param hash of the token; null: none is configured, and nobody reads the figures
 */
record MetricsToken(byte @Nullable [] hash) {

    private static final String SHAPE = "[!-~]{32,256}";

    static MetricsToken of(String configured) {
        String token = configured.strip();
        if (token.isEmpty()) {
            return new MetricsToken(null);
        }
        if (!token.matches(SHAPE)) { // never print it
            throw new StartupRefusal(
                    "LOOMBOARD_METRICS_TOKEN is no token that cannot be guessed.",
                    "Give it 32 to 256 printable characters of ASCII without spaces, such as openssl rand -hex 32 makes,"
                            + " or leave it out.");
        }
        return new MetricsToken(sha256(token));
    }

    /** Takes as long for a near miss as for any other. */
    boolean is(String secret) {
        return hash != null && MessageDigest.isEqual(hash, sha256(secret));
    }

    private static byte[] sha256(String text) {
        return Digest.sha256(text.getBytes(StandardCharsets.UTF_8));
    }
}
