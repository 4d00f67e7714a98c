package dev.loomboard.access;

import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.HEAD;
import static org.springframework.http.HttpMethod.OPTIONS;
import static org.springframework.http.HttpMethod.PATCH;
import static org.springframework.http.HttpMethod.POST;
import static org.springframework.http.HttpMethod.PUT;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.Problem;
import dev.loomboard.web.route.Routes;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.firewall.ServerExchangeRejectedHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Deny by default: a request passes when the route table has its route and the route admits its caller. */
@Configuration(proxyBeanMethods = false)
class AccessConfig {

    private static final Set<HttpMethod> ORDINARY = Set.of(GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS);

    @Bean
    SecurityWebFilterChain filterChain(ServerHttpSecurity http) {
        return http.csrf(ServerHttpSecurity.CsrfSpec::disable) // FormTokenFilter does it, also for htmx
                .headers(ServerHttpSecurity.HeaderSpec::disable) // SecurityHeadersFilter sets them, also on errors
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .anonymous(ServerHttpSecurity.AnonymousSpec::disable)
                .authorizeExchange(all -> all.anyExchange().access((proven, context) -> decide(context.getExchange())))
                .exceptionHandling(refused -> refused.authenticationEntryPoint((exchange, e) -> refuse(exchange))
                        .accessDeniedHandler((exchange, e) -> refuse(exchange)))
                .build();
    }

    /** Spring Security itself refuses addresses that proxies read in different ways, and methods that no browser sends. */
    @Bean
    ServerExchangeRejectedHandler rejectedAddresses() {
        return (exchange, rejected) -> Mono.error(rejection(exchange).asException());
    }

    private static Problem rejection(ServerWebExchange exchange) {
        return ORDINARY.contains(exchange.getRequest().getMethod())
                ? Problem.of(
                        400,
                        "address",
                        "This address is not accepted",
                        "It must have none of ; // \\ and no escape of % / ; \\ or of a line's end in its path.")
                : refusal(exchange);
    }

    private static Mono<AuthorizationResult> decide(ServerWebExchange exchange) {
        var request = exchange.getRequest();
        boolean admitted = Routes.find(request.getMethod(), request.getPath().pathWithinApplication())
                .map(route -> route.admits(ExchangeAttributes.caller(exchange)))
                .orElse(false);
        return Mono.just(new AuthorizationDecision(admitted));
    }

    private static Mono<Void> refuse(ServerWebExchange exchange) {
        return Mono.error(refusal(exchange).asException());
    }

    private static Problem refusal(ServerWebExchange exchange) {
        var request = exchange.getRequest();
        var path = request.getPath().pathWithinApplication();
        if (Routes.find(request.getMethod(), path).isEmpty()) {
            Set<HttpMethod> allowed = Routes.methods(path);
            if (allowed.isEmpty()) {
                return Problem.notFound();
            }
            exchange.getResponse().getHeaders().setAllow(allowed);
            return Problem.of(405, "method", "Method not allowed", request.getMethod() + " is not possible here.");
        }
        return switch (ExchangeAttributes.caller(exchange)) {
            case Caller.Anonymous anonymous ->
                Problem.of(401, "unauthenticated", "Not signed in", "Sign in, or send a key as a bearer token.");
            case Caller.Person person -> forbidden();
            case Caller.Agent agent -> forbidden();
            case Caller.Token token -> forbidden();
            case Caller.Monitor monitor -> forbidden();
        };
    }

    private static Problem forbidden() {
        return Problem.of(403, "forbidden", "Not allowed", "You are known, but this is not for you.");
    }
}
