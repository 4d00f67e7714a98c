package dev.loomboard.limits;

import dev.loomboard.web.request.RequestId;
import dev.loomboard.web.route.Route;
import dev.loomboard.web.route.Routes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;

/** What happens around each request, errors and their answers included: it gets a name, and its time is taken. */
@Configuration(proxyBeanMethods = false)
class RequestConfig {

    /** @param forwarded not {@code none}: all requests come from our own proxy, whose name of a request is then taken */
    @Bean
    WebHttpHandlerBuilderCustomizer namedAndTimedRequests(
            MeterRegistry registry, @Value("${server.forward-headers-strategy}") String forwarded) {
        RequestTimes times = new RequestTimes(registry);
        boolean proxied = !forwarded.equalsIgnoreCase("none");
        return builder -> builder.httpHandlerDecorator(handler -> around(handler, times, proxied));
    }

    /** Who else has figures at this edge. */
    @Bean
    MeterBinder edgeFigures(RequestBodyFilter bodies, AnswerMemoryFilter answers, HeavyPages pages) {
        return registry -> {
            bodies.memory().show(registry);
            answers.memory().show(registry);
            pages.show(registry);
        };
    }

    static HttpHandler around(HttpHandler handler, RequestTimes times, boolean proxied) {
        return (request, response) -> {
            String id = RequestId.of(proxied ? request.getHeaders().getFirst(RequestId.HEADER) : null);
            response.getHeaders().set(RequestId.HEADER, id);
            long begun = System.nanoTime();
            return handler.handle(request, response)
                    .doFinally(end -> times.ended(route(request), status(response), System.nanoTime() - begun))
                    .contextWrite(context -> RequestId.in(context, id));
        };
    }

    private static Optional<Route> route(ServerHttpRequest request) {
        return Routes.find(request.getMethod(), request.getPath().pathWithinApplication());
    }

    private static Optional<Integer> status(ServerHttpResponse response) {
        @Nullable HttpStatusCode status = response.getStatusCode();
        return response.isCommitted() ? Optional.of(status == null ? 200 : status.value()) : Optional.empty();
    }
}
