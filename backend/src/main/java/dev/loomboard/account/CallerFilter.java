package dev.loomboard.account;

import dev.loomboard.account.CredentialStore.SignedIn;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.web.Cookies;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.FilterOrder;
import dev.loomboard.web.FormToken;
import dev.loomboard.web.Problem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
    private static final Duration COARSE = Duration.ofMinutes(5);

    /** Files that everybody gets: asking the database who wants them would only cost. */
    private static final List<String> FILES = List.of("/css/", "/js/", "/vendor/", "/img/");

    private final CredentialStore credentials;
    private final SessionStore sessions;
    private final MetricsToken metrics;
    private final Clock clock;

    CallerFilter(
            CredentialStore credentials,
            SessionStore sessions,
            @Value("${loomboard.metrics-token}") String metricsToken,
            Clock clock) {
        this.credentials = credentials;
        this.sessions = sessions;
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
        if (FILES.stream().anyMatch(path::startsWith)) {
            return Mono.empty();
        }
        String authorization = exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION);
        if (authorization != null && BEARER.matcher(authorization).lookingAt()) {
            return byBearer(BEARER.matcher(authorization).replaceFirst("").strip())
                    .switchIfEmpty(unknown());
        }
        return session(exchange).map(this::bySession).orElse(Mono.empty());
    }

    private Mono<Caller> byBearer(String secret) {
        if (metrics.is(secret)) {
            return Mono.just(new Caller.Monitor());
        }
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
        return Optional.ofNullable(Cookies.value(exchange, FormToken.SESSION_COOKIE))
                .filter(value -> Secret.isOf("lbs", value))
                .map(Secret::new);
    }

    private static <T> Mono<T> unknown() {
        return Mono.error(Problem.of(
                        401,
                        "unknown-credential",
                        "Unknown credential",
                        "After Bearer must stand a key that is known and not revoked or expired.")
                .asException());
    }
}
