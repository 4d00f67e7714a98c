package dev.loomboard.web.request;

import dev.loomboard.kernel.Characters;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.route.Routes;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Refuses characters that cannot be stored, or that make a text look like another, in the path, the query and every form.
 * JSON bodies are checked by the records that they become.
 */
@Component
final class RequestTextFilter implements WebFilter, Ordered {

    @Override
    public int getOrder() {
        return FilterOrder.TEXT;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        if (Routes.find(request.getMethod(), request.getPath().pathWithinApplication())
                .isEmpty()) {
            return chain.filter(exchange); // it is refused as no route, whatever else is wrong with it
        }
        List<FieldError> problems = problems(request);
        return problems.isEmpty()
                ? chain.filter(new CheckedForm(exchange))
                : Mono.error(Problem.invalid(problems).asException());
    }

    private static List<FieldError> problems(ServerHttpRequest request) {
        List<FieldError> problems = new ArrayList<>(problems(request.getQueryParams()));
        if (request.getPath().value().startsWith("/api/")) {
            problems.addAll(empty(request.getQueryParams()));
        }
        request.getPath().elements().stream()
                .filter(PathSegment.class::isInstance)
                .forEach(part -> check("(path)", ((PathSegment) part).valueToMatch(), problems));
        return problems;
    }

    private static List<FieldError> problems(MultiValueMap<String, String> fields) {
        List<FieldError> problems = new ArrayList<>();
        fields.forEach((name, values) -> {
            check("(name of a field)", name, problems);
            values.stream().filter(value -> value != null).forEach(value -> check(name, value, problems));
        });
        return problems;
    }

    /** A browser's form sends its empty fields; a program that does has lost a value, and did not ask for all. */
    private static List<FieldError> empty(MultiValueMap<String, String> query) {
        return query.entrySet().stream()
                .filter(entry -> entry.getValue().stream().anyMatch(value -> value == null || value.isEmpty()))
                .map(entry -> new FieldError(entry.getKey(), "must not be empty: leave it out"))
                .toList();
    }

    private static void check(String field, String text, List<FieldError> problems) {
        String problem = Characters.deceptive(text);
        if (problem != null) {
            problems.add(new FieldError(field, problem));
        }
    }

    /** Filters and controllers get the form only after it was checked. */
    private static final class CheckedForm extends ServerWebExchangeDecorator {

        CheckedForm(ServerWebExchange exchange) {
            super(exchange);
        }

        @Override
        public Mono<MultiValueMap<String, String>> getFormData() {
            return super.getFormData().flatMap(form -> {
                List<FieldError> problems = problems(form);
                return problems.isEmpty()
                        ? Mono.just(form)
                        : Mono.error(Problem.invalid(problems).asException());
            });
        }
    }
}
