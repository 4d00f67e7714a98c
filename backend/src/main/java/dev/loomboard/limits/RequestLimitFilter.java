package dev.loomboard.limits;

import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.Urls;
import dev.loomboard.web.request.FilterOrder;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Refuses what is more than a caller may send, before its body is read or a page is made. The files of the front end do
 * not count: a page has many of them, and they cost next to nothing.
 */
@Component
final class RequestLimitFilter implements WebFilter, Ordered {

    private final RequestLimits limits;

    RequestLimitFilter(RequestLimits limits) {
        this.limits = limits;
    }

    @Override
    public int getOrder() {
        return FilterOrder.REQUESTS;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        if (Urls.isFile(request.getPath().value())) {
            return chain.filter(exchange);
        }
        return limits.refusal(ExchangeAttributes.caller(exchange), request.getRemoteAddress())
                .<Mono<Void>>map(Mono::error)
                .orElseGet(() -> chain.filter(exchange));
    }
}
