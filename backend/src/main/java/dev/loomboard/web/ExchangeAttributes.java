package dev.loomboard.web;

import dev.loomboard.kernel.Caller;
import java.util.function.Supplier;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** What the service notes on a request as it passes the filters. */
public final class ExchangeAttributes {

    private static final String CALLER = Caller.class.getName();
    private static final String SECURE = ExchangeAttributes.class.getName() + ".secure";
    private static final String SITE = ExchangeAttributes.class.getName() + ".site";
    private static final String BODY = ReceivedBody.class.getName();
    private static final Caller NOBODY = new Caller.Anonymous();

    private ExchangeAttributes() {}

    /** Who calls; anonymous until a filter has proven more. */
    public static Caller caller(ServerWebExchange exchange) {
        return exchange.getAttributeOrDefault(CALLER, NOBODY);
    }

    public static void setCaller(ServerWebExchange exchange, Caller caller) {
        exchange.getAttributes().put(CALLER, caller);
    }

    /** True when browsers reach the service by https, whatever the last proxy speaks to it. */
    static boolean secure(ServerWebExchange exchange) {
        return exchange.getAttributeOrDefault(SECURE, false);
    }

    public static void setSecure(ServerWebExchange exchange, boolean secure) {
        exchange.getAttributes().put(SECURE, secure);
    }

    /** @param site address of the service that its owner configured; empty: none */
    public static void setSite(ServerWebExchange exchange, String site) {
        exchange.getAttributes().put(SITE, site);
    }

    /** The body, received whole; the first caller reads it. */
    public static Mono<ReceivedBody> body(ServerWebExchange exchange) {
        Supplier<Mono<ReceivedBody>> body = exchange.getRequiredAttribute(BODY);
        return body.get();
    }

    public static void setBody(ServerWebExchange exchange, Supplier<Mono<ReceivedBody>> body) {
        exchange.getAttributes().put(BODY, body);
    }

    public static PageContext shell(ServerWebExchange exchange) {
        return new PageContext(
                caller(exchange),
                path(exchange),
                exchange.getAttributeOrDefault(SITE, ""),
                wantsFragment(exchange),
                () -> FormToken.of(exchange));
    }

    /** True when the answer is for a program: errors are then problem JSON, never a page. */
    public static boolean wantsJson(ServerWebExchange exchange) {
        String path = exchange.getRequest().getPath().value();
        return path.startsWith("/api/") || path.endsWith(".json") || path.endsWith(".csv") || path.equals("/metrics");
    }

    public static boolean wantsFragment(ServerWebExchange exchange) {
        var headers = exchange.getRequest().getHeaders();
        return "true".equals(headers.getFirst("HX-Request"))
                && !"true".equals(headers.getFirst("HX-Boosted"))
                && !"true".equals(headers.getFirst("HX-History-Restore-Request"));
    }

    public static String path(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        String query = request.getURI().getRawQuery();
        return request.getPath().value() + (query == null ? "" : "?" + query);
    }
}
