package dev.loomboard.twostep;

import dev.loomboard.kernel.Base32;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Codes of an authenticator: RFC 6238 with what all authenticators take, SHA-1, six digits and 30 seconds. */
final class Totp {

    static final int SECRET_BYTES = 20;
    private static final int DIGITS = 6;
    private static final int BOUND = 1_000_000;
    private static final long STEP_SECONDS = 30;

    /** Steps before and after the present one that are taken too: clocks differ, and typing takes time. */
    private static final int TOLERANCE = 1;

    private static final SecureRandom RANDOM = new SecureRandom();

    private Totp() {}

    static byte[] newSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        RANDOM.nextBytes(secret);
        return secret;
    }

    /**
     * The time step whose code was typed.
     *
     * @param used the newest step whose code was used: neither it nor an older one is good again
     * @return empty: the code is none of those that are good now
     */
    static OptionalLong step(byte[] secret, String typed, Instant now, long used) {
        String code = typed.replaceAll("\\s", "");
        long present = Math.floorDiv(now.getEpochSecond(), STEP_SECONDS);
        for (long step = Math.max(present - TOLERANCE, used + 1); step <= present + TOLERANCE; step++) {
            if (same(code, code(secret, step))) {
                return OptionalLong.of(step);
            }
        }
        return OptionalLong.empty();
    }

    /** The code of a time step, RFC 4226 section 5.3. */
    static String code(byte[] secret, long step) {
        byte[] hash = hmac(secret, ByteBuffer.allocate(Long.BYTES).putLong(step).array());
        int offset = hash[hash.length - 1] & 0xf;
        int number = ByteBuffer.wrap(hash).getInt(offset) & 0x7fff_ffff;
        return String.format(Locale.ROOT, "%0" + DIGITS + "d", number % BOUND);
    }

    /** What an authenticator reads from the picture. */
    static String uri(byte[] secret, String email) {
        return "otpauth://totp/Loomboard:" + escaped(email) + "?secret=" + text(secret) + "&issuer=Loomboard";
    }

    /** The secret as it is typed into an authenticator. */
    static String text(byte[] secret) {
        return Base32.encode(secret).toUpperCase(Locale.ROOT);
    }

    private static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static boolean same(String typed, String code) {
        return MessageDigest.isEqual(typed.getBytes(StandardCharsets.UTF_8), code.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] hmac(byte[] secret, byte[] message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(secret, "HmacSHA1"));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA1", e);
        }
    }
}
