package dev.loomboard.database;

import dev.loomboard.web.request.FilterOrder;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Keeps agents' calls to their {@linkplain ConnectionPools pools}, the look at their key included. */
@Component
final class AgentConnectionsFilter implements WebFilter, Ordered {

    @Override
    public int getOrder() {
        return FilterOrder.BODY;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ConnectionPools.Use use = use(exchange.getRequest().getPath().value());
        return chain.filter(exchange).contextWrite(context -> ConnectionPools.from(use, context));
    }

    private static ConnectionPools.Use use(String path) {
        if (path.startsWith("/api/agent/v1/trials/")) {
            return ConnectionPools.Use.UPLOADS;
        }
        if (path.startsWith("/api/agent/v1/runs/") && path.endsWith("/complete")) {
            return ConnectionPools.Use.ENDS;
        }
        return path.startsWith("/api/agent/") ? ConnectionPools.Use.AGENTS : ConnectionPools.Use.OTHERS;
    }
}
