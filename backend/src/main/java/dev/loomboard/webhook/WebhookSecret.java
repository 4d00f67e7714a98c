package dev.loomboard.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs what is sent, as the specification Standard Webhooks has it: HMAC-SHA256 over id, time and body. */
final class WebhookSecret {

    static final String ID = "webhook-id";
    static final String TIMESTAMP = "webhook-timestamp";
    static final String SIGNATURE = "webhook-signature";

    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] bytes;

    WebhookSecret(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    static WebhookSecret random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new WebhookSecret(bytes);
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /** As it is shown, once: {@code whsec_} and base64. */
    String shown() {
        return "whsec_" + Base64.getEncoder().encodeToString(bytes);
    }

    /** The header's value: {@code v1,} and the signature in base64. */
    String signature(String id, Instant at, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(bytes, ALGORITHM));
            mac.update((id + "." + at.getEpochSecond() + ".").getBytes(StandardCharsets.US_ASCII));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return "whsec_…";
    }
}
