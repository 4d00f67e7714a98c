package dev.loomboard.openid;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Digest;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.WireName;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A browser's way to the provider and back. All that must be random on it is made of one secret, which only the browser has, in
 * a cookie: so what the database holds, or the provider sees, is not enough to come back in its place.
 */
record Visit(Secret secret) {

    static final Duration LIFE = Duration.ofMinutes(10);

    /** What a browser is sent to the provider for. */
    enum Purpose implements WireName {
        /** To get into an account, or to get one. */
        SIGN_IN,
        /** To link the account that is signed in. */
        LINK,
        /** To prove again who is signed in. */
        PROVE;
    }

    /**
     * What was noted when the browser was sent.
     *
     * @param account that is linked or proven; null: that is to be found out
     * @param next path to go on to
     * @param begun when it was sent
     */
    record Errand(Purpose purpose, @Nullable AccountId account, String next, Instant begun) {}

    static Visit begun() {
        return new Visit(Secret.random("lbo"));
    }

    /** Comes back with the browser: an answer that somebody else began has another. */
    String state() {
        return derived("state");
    }

    /** Stands in the ID token: one that was made for another visit has another. */
    String nonce() {
        return derived("nonce");
    }

    /** Sent with the code, which is worth nothing without it (RFC 7636): 43 characters. */
    String verifier() {
        return derived("verifier");
    }

    /** Sent ahead: the verifier's SHA-256. */
    String challenge() {
        return base64(Digest.sha256(verifier().getBytes(StandardCharsets.US_ASCII)));
    }

    /** Whether an answer with this state belongs to the visit. */
    boolean began(String state) {
        return MessageDigest.isEqual(
                state().getBytes(StandardCharsets.US_ASCII), state.getBytes(StandardCharsets.UTF_8));
    }

    private String derived(String what) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.value().getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
            return base64(mac.doFinal(("loomboard openid " + what).getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
