package dev.loomboard.web;

import dev.loomboard.kernel.Caller;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/**
 * The token that proves a form came from our own page. For a signed-in browser it is derived from the session's secret
 * (a synchroniser token that needs no storage); before sign-in it is a random cookie sent back in the form.
 * Each rendering masks it with a new value, so that compression of a page gives nothing away (BREACH).
 */
public final class FormToken {

    public static final String SESSION_COOKIE = "lb_session";
    static final String FORM_COOKIE = "lb_form";
    public static final String FIELD = "_csrf";
    public static final String HEADER = "X-Csrf-Token";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;

    private FormToken() {}

    /** The token for a form in the answer to this request; may set the form cookie. */
    static String of(ServerWebExchange exchange) {
        byte[] expected = expected(exchange);
        if (expected == null) {
            byte[] fresh = random();
            String cookie = Base64.getUrlEncoder().withoutPadding().encodeToString(fresh);
            exchange.getResponse().addCookie(Cookies.of(exchange, FORM_COOKIE, cookie, Duration.ofHours(12)));
            exchange.getAttributes().put(FORM_COOKIE, fresh);
            expected = fresh;
        }
        return mask(expected);
    }

    /** True when {@code sent} is a token for this request's browser. */
    public static boolean accepts(ServerWebExchange exchange, @Nullable String sent) {
        byte[] expected = expected(exchange);
        if (expected == null || sent == null) {
            return false;
        }
        byte[] given = unmask(sent);
        return given != null && MessageDigest.isEqual(expected, given);
    }

    private static byte @Nullable [] expected(ServerWebExchange exchange) {
        String session = Cookies.value(exchange, SESSION_COOKIE);
        if (session != null && ExchangeAttributes.caller(exchange) instanceof Caller.Person) {
            return derived(session);
        }
        byte[] fresh = exchange.getAttribute(FORM_COOKIE);
        if (fresh != null) {
            return fresh;
        }
        String form = Cookies.value(exchange, FORM_COOKIE);
        return form == null ? null : decoded(form);
    }

    private static byte[] derived(String sessionSecret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(sessionSecret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal("loomboard form".getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }

    private static String mask(byte[] token) {
        byte[] pad = random();
        byte[] out = new byte[2 * BYTES];
        for (int i = 0; i < BYTES; i++) {
            out[i] = pad[i];
            out[BYTES + i] = (byte) (pad[i] ^ token[i]);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out);
    }

    private static byte @Nullable [] unmask(String masked) {
        byte[] in = decode(masked);
        if (in == null || in.length != 2 * BYTES) {
            return null;
        }
        byte[] token = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            token[i] = (byte) (in[i] ^ in[BYTES + i]);
        }
        return token;
    }

    private static byte @Nullable [] decoded(String cookie) {
        byte[] bytes = decode(cookie);
        return bytes != null && bytes.length == BYTES ? bytes : null;
    }

    private static byte @Nullable [] decode(String text) {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static byte[] random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
