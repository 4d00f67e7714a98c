package dev.loomboard.account;

import dev.loomboard.web.Exchanges;
import dev.loomboard.web.Routes;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Deny by default: a request passes when the route table has its route and the route admits its caller. */
@Configuration(proxyBeanMethods = false)
class AccessConfig {

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
                .build();
    }

    private static Mono<AuthorizationResult> decide(ServerWebExchange exchange) {
        var request = exchange.getRequest();
        boolean admitted = Routes.find(request.getMethod(), request.getPath().pathWithinApplication())
                .map(route -> route.admits(Exchanges.caller(exchange)))
                .orElse(false);
        return Mono.just(new AuthorizationDecision(admitted));
    }
}
