package dev.loomboard.limits.connection;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.request.FilterOrder;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;

/** Reports to {@link OpenConnections} each connection whose caller is known. */
@Component
final class ProvenConnectionFilter implements WebFilter, Ordered {

    private final OpenConnections connections;

    ProvenConnectionFilter(OpenConnections connections) {
        this.connections = connections;
    }

    @Override
    public int getOrder() {
        return FilterOrder.CALLER + 1;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        boolean known = !(ExchangeAttributes.caller(exchange) instanceof Caller.Anonymous);
        Object request = ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest());
        if (known && request instanceof Connection connection) {
            connections.proven(connection.channel());
        }
        return chain.filter(exchange);
    }
}
