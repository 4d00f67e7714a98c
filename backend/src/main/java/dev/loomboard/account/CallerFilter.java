package dev.loomboard.account;

import dev.loomboard.account.CredentialStore.SignedIn;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.FilterOrder;
import dev.loomboard.web.FormToken;
import dev.loomboard.web.Problem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Proves who calls. A bearer secret, when sent, alone decides and must be good; else the session cookie does, and a
 * stale one leaves the caller anonymous.
 */
@Component
final class CallerFilter implements WebFilter, Ordered {

    private static final String BEARER = "Bearer ";
    private static final Duration COARSE = Duration.ofMinutes(5);

    /** Files that everybody gets: asking the database who wants them would only cost. */
    private static final List<String> FILES = List.of("/css/", "/js/", "/vendor/", "/img/");

    private final CredentialStore credentials;
    private final SessionStore sessions;
    private final Clock clock;

    CallerFilter(CredentialStore credentials, SessionStore sessions, Clock clock) {
        this.credentials = credentials;
        this.sessions = sessions;
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
        if (FILES.stream().anyMatch(path::startsWith)) {
            return Mono.empty();
        }
        String authorization = exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION);
        if (authorization != null) {
            return byBearer(authorization).switchIfEmpty(unknown());
        }
        return session(exchange).map(this::bySession).orElse(Mono.empty());
    }

    private Mono<Caller> byBearer(String authorization) {
        if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Mono.empty();
        }
        String secret = authorization.substring(BEARER.length()).strip();
        if (Secret.isOf("lba", secret)) {
            return credentials.agent(new Secret(secret), clock.instant()).cast(Caller.class);
        }
        if (Secret.isOf("lbt", secret)) {
            return credentials.token(new Secret(secret), clock.instant()).cast(Caller.class);
        }
        return Mono.empty();
    }

    private Mono<Caller> bySession(Secret session) {
        Instant now = clock.instant();
        return credentials
                .session(session, now)
                .flatMap(found -> noteUse(found, session, now).thenReturn(found.person()));
    }

    private Mono<Void> noteUse(SignedIn found, Secret session, Instant now) {
        return found.seenAt().isBefore(now.minus(COARSE)) ? sessions.seen(session, now) : Mono.empty();
    }

    /** The session's secret, if the request has a cookie that can be one. */
    static Optional<Secret> session(ServerWebExchange exchange) {
        return Optional.ofNullable(cookie(exchange))
                .filter(value -> Secret.isOf("lbs", value))
                .map(Secret::new);
    }

    private static @Nullable String cookie(ServerWebExchange exchange) {
        HttpCookie cookie = exchange.getRequest().getCookies().getFirst(FormToken.SESSION_COOKIE);
        return cookie == null ? null : cookie.getValue();
    }

    private static <T> Mono<T> unknown() {
        return Mono.error(Problem.of(
                        401,
                        "unknown-credential",
                        "Unknown credential",
                        "The Authorization header must be Bearer and a key that is known and not revoked or expired.")
                .asException());
    }
}
