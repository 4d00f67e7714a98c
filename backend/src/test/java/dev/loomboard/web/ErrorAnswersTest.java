package dev.loomboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.netty.channel.AbortedException;
import reactor.test.StepVerifier;
import tools.jackson.databind.json.JsonMapper;

/** What is an error of the service, and what is not. */
final class ErrorAnswersTest {

    private final ListAppender<ILoggingEvent> said = new ListAppender<>();

    @Test
    void a_client_that_left_is_no_error_of_ours_and_a_fault_is() {
        assertThat(handle(new AbortedException("Connection has been closed"))).isNull();
        assertThat(said.list).isEmpty();

        assertThat(handle(new IllegalStateException("broken"))).isEqualTo(500);
        assertThat(said.list).hasSize(1);
    }

    private @Nullable Integer handle(Exception error) {
        Logger log = (Logger) LoggerFactory.getLogger(ErrorAnswers.class);
        said.start();
        log.addAppender(said);
        try {
            var exchange = MockServerWebExchange.from(MockServerHttpRequest.put("/api/agent/v1/trials/t/batches/1")
                    .header("Accept", "application/json"));
            StepVerifier.create(new ErrorAnswers(new PageRenderer(), JsonMapper.shared()).handle(exchange, error))
                    .expectComplete()
                    .verify(Duration.ofSeconds(30));
            var status = exchange.getResponse().getStatusCode();
            return status == null ? null : status.value();
        } finally {
            log.detachAppender(said);
        }
    }
}
