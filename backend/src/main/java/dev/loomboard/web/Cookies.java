package dev.loomboard.web;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseCookie;
import org.springframework.web.server.ServerWebExchange;

/**
 * Cookies that scripts cannot read. Where browsers reach the service by https they are Secure, and named so that no other host
 * of the domain, and nobody on the way, can set one: browsers take __Host- only from the host itself, by https.
 */
public final class Cookies {

    private static final String HOST = "__Host-";

    private Cookies() {}

    /** @param name without a prefix */
    public static ResponseCookie of(ServerWebExchange exchange, String name, String value, Duration maxAge) {
        return ResponseCookie.from(prefix(exchange) + name, value)
                .httpOnly(true)
                .secure(ExchangeAttributes.secure(exchange))
                .sameSite("Lax")
                .path("/")
                .maxAge(maxAge)
                .build();
    }

    /** What the browser sent; null: nothing by that name. */
    public static @Nullable String value(ServerWebExchange exchange, String name) {
        return all(exchange).get(name);
    }

    /** All that it sent, by their names without prefix. */
    public static Map<String, String> all(ServerWebExchange exchange) {
        String prefix = prefix(exchange);
        Map<String, String> cookies = new HashMap<>();
        exchange.getRequest().getCookies().forEach((name, values) -> {
            if (name.startsWith(prefix)) {
                cookies.put(name.substring(prefix.length()), values.getFirst().getValue());
            }
        });
        return cookies;
    }

    private static String prefix(ServerWebExchange exchange) {
        return ExchangeAttributes.secure(exchange) ? HOST : "";
    }
}
