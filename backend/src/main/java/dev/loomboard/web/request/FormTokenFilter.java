package dev.loomboard.web.request;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.FormToken;
import dev.loomboard.web.Problem;
import dev.loomboard.web.route.Access;
import dev.loomboard.web.route.Routes;
import java.util.Optional;
import java.util.Set;
import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Refuses a change that did not come from one of our own forms. Callers that prove themselves by a bearer secret need
 * no token: a browser never sends one by itself. Nor does a link that we signed for one change, which stands in the path.
 */
@Component
final class FormTokenFilter implements WebFilter, Ordered {

    private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

    @Override
    public int getOrder() {
        return FilterOrder.FORM_TOKEN;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!needsToken(exchange)) {
            return chain.filter(exchange);
        }
        if ("cross-site".equals(exchange.getRequest().getHeaders().getFirst("Sec-Fetch-Site"))) {
            return refuse();
        }
        return sentToken(exchange)
                .filter(sent -> FormToken.accepts(exchange, sent.orElse(null)))
                .flatMap(accepted -> chain.filter(exchange).thenReturn(true))
                .switchIfEmpty(refuse())
                .then();
    }

    private static boolean needsToken(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        boolean asks = Routes.find(request.getMethod(), request.getPath().pathWithinApplication())
                .filter(route -> !route.access().contains(Access.SIGNED_LINK))
                .isPresent();
        if (SAFE.contains(request.getMethod()) || !asks) {
            return false; // what is not served changes nothing: it is refused as that, and its body stays unread
        }
        return switch (ExchangeAttributes.caller(exchange)) {
            case Caller.Person person -> true;
            case Caller.Anonymous anonymous -> !request.getPath().value().startsWith("/api/");
            case Caller.Agent agent -> false;
            case Caller.Token token -> false;
            case Caller.Monitor monitor -> false;
        };
    }

    private static Mono<Optional<String>> sentToken(ServerWebExchange exchange) {
        String header = exchange.getRequest().getHeaders().getFirst(FormToken.HEADER);
        if (header != null) {
            return Mono.just(Optional.of(header));
        }
        return exchange.getFormData().map(form -> Optional.ofNullable(form.getFirst(FormToken.FIELD)));
    }

    private static <T> Mono<T> refuse() {
        return Mono.error(Problem.of(
                        403,
                        "form-expired",
                        "This form is out of date",
                        "Go back, reload the page and send the form again.")
                .asException());
    }
}
