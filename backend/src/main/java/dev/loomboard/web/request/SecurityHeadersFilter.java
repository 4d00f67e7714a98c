package dev.loomboard.web.request;

import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.PublicUrl;
import dev.loomboard.web.Urls;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Headers that every answer carries, errors included: a browser runs only files of our own, nothing inline. */
@Component
final class SecurityHeadersFilter implements WebFilter, Ordered {

    static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
            + " font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none';"
            + " frame-ancestors 'none'";

    private final PublicUrl publicUrl;

    SecurityHeadersFilter(PublicUrl publicUrl) {
        this.publicUrl = publicUrl;
    }

    @Override
    public int getOrder() {
        return FilterOrder.HEADERS;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        HttpHeaders headers = exchange.getResponse().getHeaders();
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "same-origin");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set(
                "Cross-Origin-Resource-Policy",
                Urls.isPicture(exchange.getRequest().getPath().value()) ? "cross-origin" : "same-origin");
        headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
        boolean secure = publicUrl.secure(exchange.getRequest());
        ExchangeAttributes.setSecure(exchange, secure);
        ExchangeAttributes.setSite(exchange, publicUrl.configured());
        if (secure) {
            headers.set("Strict-Transport-Security", "max-age=31536000");
        }
        return chain.filter(exchange);
    }
}
