package dev.loomboard.limits;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.web.request.RequestId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A request has one name: in its answer, in log lines, and by its route in the figures. */
@OneAtATime
final class RequestNamesTest {

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(RequestNamesTest.class);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();

    @BeforeEach
    void listen() {
        said.start();
        ((Logger) LOG).addAppender(said);
    }

    @AfterEach
    void listenNoMore() {
        ((Logger) LOG).detachAppender(said);
    }

    @Test
    void each_request_gets_a_name_of_its_own_whatever_a_client_sends() {
        String first = ask(false, "/leaderboard", "chosen-by-the-client");
        String second = ask(false, "/leaderboard", null);
        assertThat(first).matches("[0-9a-f]{16}").isNotEqualTo(second);
        assertThat(said.list).hasSize(2);
        assertThat(said.list.getFirst().getMDCPropertyMap()).containsEntry("requestId", first);
    }

    @Test
    void name_that_our_own_proxy_gave_is_taken_if_it_is_sane() {
        String proxys = "0af7651916cd43dd8448eb211c80319c";
        assertThat(ask(true, "/leaderboard", proxys)).isEqualTo(proxys);
        for (String odd : new String[] {"short", "two words and more", "x".repeat(65), "evil\u001b[31mevil", ""}) {
            assertThat(ask(true, "/leaderboard", odd)).matches("[0-9a-f]{16}");
        }
    }

    @Test
    void line_outside_of_requests_has_none_and_nothing_stays_behind() {
        StepVerifier.create(RequestId.logged(() -> LOG.error("by a job"))).verifyComplete();
        ask(false, "/leaderboard", null);
        StepVerifier.create(RequestId.logged(() -> LOG.error("by a job"))).verifyComplete();
        assertThat(said.list.getFirst().getMDCPropertyMap()).isEmpty();
        assertThat(said.list.getLast().getMDCPropertyMap()).isEmpty();
    }

    /** The pattern is part of the settings: a line without a request looks as it always did. */
    @Test
    void console_shows_the_name_before_the_message() throws IOException {
        String id = ask(false, "/leaderboard", null);
        StepVerifier.create(RequestId.logged(() -> LOG.error("by a job"))).verifyComplete();
        PatternLayout layout = new PatternLayout();
        layout.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
        Matcher pattern = Pattern.compile("pattern.console: \"(.+)\"")
                .matcher(Files.readString(Path.of("src/main/resources/application.yaml")));
        assertThat(pattern.find()).isTrue();
        layout.setPattern(pattern.group(1));
        layout.start();
        assertThat(layout.doLayout(said.list.getFirst()))
                .endsWith(" ERROR RequestNamesTest: [" + id + "] within a request\n");
        assertThat(layout.doLayout(said.list.getLast())).endsWith(" ERROR RequestNamesTest: by a job\n");
    }

    @Test
    void request_is_counted_by_its_route_and_its_status() {
        ask(false, "/runs/run_aaaaaaaaaaaaaaaaaaaa", null);
        ask(false, "/no/such/page", null);
        assertThat(counted("/runs/{runId}", "5xx")).isEqualTo(1);
        assertThat(counted("none", "5xx")).isEqualTo(1);
    }

    private long counted(String route, String status) {
        return registry.get("loomboard.http.requests")
                .tag("route", route)
                .tag("status", status)
                .timer()
                .count();
    }

    /** The name that the answer has. */
    private String ask(boolean proxied, String path, @Nullable String sent) {
        MockServerHttpResponse answer = new MockServerHttpResponse();
        HttpHandler handler = RequestConfig.around(
                (request, response) -> {
                    response.setStatusCode(HttpStatus.INTERNAL_SERVER_ERROR);
                    return RequestId.logged(() -> LOG.error("within a request"))
                            .then(Mono.defer(response::setComplete));
                },
                new RequestTimes(registry),
                proxied);
        var request = MockServerHttpRequest.get(path);
        if (sent != null) {
            request.header(RequestId.HEADER, sent);
        }
        StepVerifier.create(handler.handle(request.build(), answer))
                .expectComplete()
                .verify(Duration.ofMinutes(2));
        return String.valueOf(answer.getHeaders().getFirst(RequestId.HEADER));
    }
}
