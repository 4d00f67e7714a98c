package dev.loomboard.access;

import dev.loomboard.access.CallerStore.SignedIn;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.limits.RequestLimits;
import dev.loomboard.session.Entrance;
import dev.loomboard.session.SessionLimits;
import dev.loomboard.session.SessionStore;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import dev.loomboard.web.request.FilterOrder;
import java.time.Clock;
import java.time.Instant;
import java.util.regex.Pattern;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Proves who calls. A bearer secret, when sent, alone decides and must be good; else the session cookie does, and a
 * stale one leaves the caller anonymous. Other schemes of Authorization are for a proxy before the service.
 */
@Component
final class CallerFilter implements WebFilter, Ordered {

    private static final Pattern BEARER = Pattern.compile("\\s*Bearer(?=\\s|$)", Pattern.CASE_INSENSITIVE);

    private final CallerStore callers;
    private final SessionStore sessions;
    private final SessionLimits sessionLimits;
    private final RequestLimits limits;
    private final MetricsToken metrics;
    private final Clock clock;

    CallerFilter(
            CallerStore callers,
            SessionStore sessions,
            SessionLimits sessionLimits,
            RequestLimits limits,
            @Value("${loomboard.metrics-token}") String metricsToken,
            Clock clock) {
        this.callers = callers;
        this.sessions = sessions;
        this.sessionLimits = sessionLimits;
        this.limits = limits;
        this.metrics = MetricsToken.of(metricsToken);
        this.clock = clock;
    }

    @Override
    public int getOrder() {
        return FilterOrder.CALLER;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return prove(exchange)
                .doOnNext(caller -> ExchangeAttributes.setCaller(exchange, caller))
                .then(Mono.defer(() -> chain.filter(exchange)));
    }

    private Mono<? extends Caller> prove(ServerWebExchange exchange) {
        String path = exchange.getRequest().getPath().value();
        if (Urls.isFile(path)) { // asking the database who wants them would only cost
            return Mono.empty();
        }
        String authorization = exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION);
        if (authorization != null && BEARER.matcher(authorization).lookingAt()) {
            return byBearer(BEARER.matcher(authorization).replaceFirst("").strip())
                    .switchIfEmpty(Mono.defer(() -> unknown(exchange)));
        }
        return Entrance.session(exchange).map(this::bySession).orElse(Mono.empty());
    }

    private Mono<Caller> byBearer(String secret) {
        if (metrics.is(secret)) {
            return Mono.just(new Caller.Monitor());
        }
        if (Secret.isOf("lba", secret)) {
            return callers.agent(new Secret(secret), clock.instant()).cast(Caller.class);
        }
        if (Secret.isOf("lbt", secret)) {
            return callers.token(new Secret(secret), clock.instant()).cast(Caller.class);
        }
        return Mono.empty();
    }

    private Mono<Caller> bySession(Secret session) {
        Instant now = clock.instant();
        return callers.session(session, now, now.minus(sessionLimits.idle()))
                .flatMap(found -> noteUse(found, session, now).thenReturn(found.person()));
    }

    private Mono<Void> noteUse(SignedIn found, Secret session, Instant now) {
        return found.seenAt().isBefore(now.minus(SessionLimits.COARSE)) ? sessions.seen(session, now) : Mono.empty();
    }

    /** Counted by the address: who has no good key is a stranger. */
    private <T> Mono<T> unknown(ServerWebExchange exchange) {
        return Mono.error(limits.ofStranger(exchange.getRequest().getRemoteAddress())
                .orElseGet(() -> Problem.of(
                                401,
                                "unknown-credential",
                                "Unknown credential",
                                "After Bearer must stand a key that is known and not revoked or expired.")
                        .asException()));
    }
}
