package dev.loomboard.web.request;

import dev.loomboard.kernel.DatabaseOutage;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import tools.jackson.databind.json.JsonMapper;

/** The one place where an error becomes an answer: problem JSON for programs, a page or fragment for people. */
@Component
@Order(-2)
public final class ErrorAnswers implements WebExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ErrorAnswers.class);
    private static final int UNAUTHORIZED = 401;
    private static final int SEE_OTHER = 303;
    private static final int SERVER_ERROR = 500;
    private static final int UNAVAILABLE = 503;

    /** When it is worth trying again: what is busy or away is, as a rule, only for moments. */
    public static final String RETRY_AFTER_SECONDS = "5";

    private static final List<String> WHAT_A_FAILED_ANSWER_SAID =
            List.of(HttpHeaders.CONTENT_DISPOSITION, HttpHeaders.ETAG, HttpHeaders.CACHE_CONTROL);

    private final PageRenderer html;
    private final JsonMapper json;
    private final DatabaseOutage outage;

    public ErrorAnswers(PageRenderer html, JsonMapper json, DatabaseOutage outage) {
        this.html = html;
        this.json = json;
        this.outage = outage;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
        if (exchange.getResponse().isCommitted()) {
            return Mono.error(error); // too late for an answer: the connection is cut, which the client notices
        }
        if (error instanceof AbortedException) {
            return Mono
                    .empty(); // the client left before its request was whole: nobody to answer, nothing of ours broke
        }
        HttpHeaders headers = exchange.getResponse().getHeaders();
        WHAT_A_FAILED_ANSWER_SAID.forEach(headers::remove);
        String request = headers.getFirst(RequestId.HEADER);
        Problem problem = Problems.of(error).at(exchange.getRequest().getPath().value(), request);
        RequestId.logged(request, () -> log(exchange, problem, error));
        String retryAfter = retryAfter(problem, error);
        if (retryAfter != null) {
            headers.set(HttpHeaders.RETRY_AFTER, retryAfter);
        }
        if (wantsJson(exchange)) {
            return answerJson(exchange.getResponse(), problem);
        }
        return problem.status() == UNAUTHORIZED ? askToSignIn(exchange) : answerHtml(exchange, problem);
    }

    /** In seconds; null: nobody can say. */
    private static @Nullable String retryAfter(Problem problem, Throwable error) {
        Duration said = error instanceof ProblemException refused ? refused.retryAfter() : null;
        if (said != null) {
            return String.valueOf(said.toSeconds());
        }
        return problem.status() == UNAVAILABLE ? RETRY_AFTER_SECONDS : null;
    }

    /** What a client caused is not logged, and an outage of the database once, not with each request that it fails. */
    private void log(ServerWebExchange exchange, Problem problem, Throwable error) {
        var request = exchange.getRequest();
        if (problem.status() < SERVER_ERROR || Problems.isConnectionLost(error)) {
            return;
        }
        if (problem.status() != UNAVAILABLE) {
            LOG.error("{} {}: {}", request.getMethod(), request.getPath(), problem.title(), error);
        } else if (!outage.lasts()) {
            LOG.warn("{} {}: {}: {}", request.getMethod(), request.getPath(), problem.title(), error.toString());
        }
    }

    private Mono<Void> answerJson(ServerHttpResponse response, Problem problem) {
        if (problem.status() == UNAUTHORIZED) {
            response.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        return write(response, problem.status(), MediaType.APPLICATION_PROBLEM_JSON, json.writeValueAsBytes(problem));
    }

    private Mono<Void> answerHtml(ServerWebExchange exchange, Problem problem) {
        var answer = html.show(
                HttpStatusCode.valueOf(problem.status()), ExchangeAttributes.shell(exchange), new ErrorPage(problem));
        byte[] body = answer.getBody();
        exchange.getResponse().getHeaders().setVary(PageRenderer.VARY);
        exchange.getResponse().getHeaders().setCacheControl("no-store");
        exchange.getResponse().getHeaders().set(PageRenderer.PUSH_URL, "false");
        return write(
                exchange.getResponse(), problem.status(), PageRenderer.UTF8_HTML, body == null ? new byte[0] : body);
    }

    private static Mono<Void> askToSignIn(ServerWebExchange exchange) {
        boolean read = exchange.getRequest().getMethod().equals(HttpMethod.GET);
        String target = read && !ExchangeAttributes.wantsFragment(exchange)
                ? PeopleUrls.signInThen(ExchangeAttributes.path(exchange))
                : PeopleUrls.signIn();
        ServerHttpResponse response = exchange.getResponse();
        if (ExchangeAttributes.wantsFragment(exchange)) {
            response.getHeaders().set("HX-Redirect", target);
            response.setStatusCode(HttpStatusCode.valueOf(UNAUTHORIZED));
        } else {
            response.getHeaders().set(HttpHeaders.LOCATION, target);
            response.setStatusCode(HttpStatusCode.valueOf(SEE_OTHER));
        }
        return response.setComplete();
    }

    private static Mono<Void> write(ServerHttpResponse response, int status, MediaType type, byte[] body) {
        response.setStatusCode(HttpStatusCode.valueOf(status));
        response.getHeaders().setContentType(type);
        response.getHeaders().setContentLength(body.length);
        DataBuffer buffer = response.bufferFactory().wrap(body);
        return response.writeWith(Mono.just(buffer));
    }

    private static boolean wantsJson(ServerWebExchange exchange) {
        if (ExchangeAttributes.wantsJson(exchange)) {
            return true;
        }
        String accept = exchange.getRequest().getHeaders().getFirst(HttpHeaders.ACCEPT);
        return accept != null && accept.contains("json") && !accept.contains("text/html");
    }
}
