package dev.loomboard.session;

import dev.loomboard.credential.AccountStore.Login;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Marks a browser that has signed in to an account, so that failures of strangers never keep it out. It proves nothing else.
 * The key that signs it is the account's password hash, whose salt nobody outside knows: so it needs no storage, is good at
 * every replica, and ends with the password.
 */
public record DeviceCookie(String name, String value) {

    static final Duration LIFE = Duration.ofDays(180);

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 16;

    public static DeviceCookie issue(Login login) {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        String device = HexFormat.of().formatHex(bytes);
        return new DeviceCookie(name(login), device + "." + signature(login, device));
    }

    /**
     * The device that a browser is known as.
     *
     * @param cookies all that it sent, by name
     */
    public static Optional<String> device(Login login, Map<String, String> cookies) {
        String value = cookies.getOrDefault(name(login), "");
        int dot = value.indexOf('.');
        if (dot != 2 * BYTES) {
            return Optional.empty();
        }
        String device = value.substring(0, dot);
        byte[] sent = value.substring(dot + 1).getBytes(StandardCharsets.UTF_8);
        byte[] good = signature(login, device).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(sent, good) ? Optional.of(device) : Optional.empty();
    }

    /** One for each account, because people share browsers. */
    private static String name(Login login) {
        return "lb_device_" + login.id().substring(login.id().indexOf('_') + 1);
    }

    private static String signature(Login login, String device) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(login.passwordHash().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] signed =
                    mac.doFinal(("loomboard device " + login.id() + " " + device).getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(signed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
