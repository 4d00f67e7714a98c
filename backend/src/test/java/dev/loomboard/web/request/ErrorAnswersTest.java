package dev.loomboard.web.request;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loomboard.kernel.DatabaseOutage;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.web.PageRenderer;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.transaction.CannotCreateTransactionException;
import reactor.netty.channel.AbortedException;
import reactor.test.StepVerifier;
import tools.jackson.databind.json.JsonMapper;

/** What is an error of the service, and what is not. */
@OneAtATime
final class ErrorAnswersTest {

    private final ListAppender<ILoggingEvent> said = new ListAppender<>();
    private final ListAppender<ILoggingEvent> told = new ListAppender<>();
    private final DatabaseOutage outage = new DatabaseOutage();
    private @Nullable String retryAfter;

    @BeforeEach
    void listenToOutages() {
        told.start();
        ((Logger) LoggerFactory.getLogger(DatabaseOutage.class)).addAppender(told);
    }

    @AfterEach
    void listenNoMore() {
        ((Logger) LoggerFactory.getLogger(DatabaseOutage.class)).detachAppender(told);
    }

    @Test
    void a_client_that_left_is_no_error_of_ours_and_a_fault_is() {
        assertThat(handle(new AbortedException("Connection has been closed"))).isNull();
        assertThat(said.list).isEmpty();

        assertThat(handle(new IllegalStateException("broken"))).isEqualTo(500);
        assertThat(said.list).hasSize(1);
    }

    @Test
    void outage_of_the_database_is_told_once_and_not_by_each_request() {
        var lost = new CannotCreateTransactionException(
                "Could not open R2DBC Connection for transaction",
                new R2dbcNonTransientResourceException("terminating connection due to administrator command", "57P01"));
        assertThat(handle(lost)).isEqualTo(503);
        assertThat(retryAfter).isEqualTo("5");
        assertThat(said.list).isEmpty();

        var late = new QueryTimeoutException("acquired no connection within 10000ms");
        assertThat(handle(late)).isEqualTo(503);
        assertThat(said.list).as("an overload without an outage").hasSize(1);
        assertThat(said.list.getFirst().getThrowableProxy()).isNull();
        outage.began(lost);
        outage.began(lost);
        assertThat(handle(late)).isEqualTo(503);
        outage.ended();
        outage.ended();
        assertThat(told.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        began -> assertThat(began).startsWith("The database cannot be reached: Could not open"),
                        ended -> assertThat(ended).isEqualTo("The database is reached again."));
        assertThat(said.list).hasSize(1);
    }

    @Test
    void problem_and_page_say_by_which_name_the_log_has_the_request() {
        for (String accept : new String[] {"application/json", "text/html"}) {
            var exchange = MockServerWebExchange.from(
                    MockServerHttpRequest.get("/leaderboard").header("Accept", accept));
            exchange.getResponse().getHeaders().set(RequestId.HEADER, "0af7651916cd43dd");
            StepVerifier.create(new ErrorAnswers(new PageRenderer(), JsonMapper.shared(), outage)
                            .handle(exchange, new IllegalStateException("broken")))
                    .expectComplete()
                    .verify(Duration.ofMinutes(2));
            StepVerifier.create(exchange.getResponse().getBodyAsString())
                    .assertNext(body -> assertThat(body).as(accept).contains("0af7651916cd43dd"))
                    .expectComplete()
                    .verify(Duration.ofMinutes(2));
        }
    }

    private @Nullable Integer handle(Exception error) {
        Logger log = (Logger) LoggerFactory.getLogger(ErrorAnswers.class);
        said.start();
        log.addAppender(said);
        try {
            var exchange = MockServerWebExchange.from(MockServerHttpRequest.put("/api/agent/v1/trials/t/batches/1")
                    .header("Accept", "application/json"));
            StepVerifier.create(
                            new ErrorAnswers(new PageRenderer(), JsonMapper.shared(), outage).handle(exchange, error))
                    .expectComplete()
                    .verify(Duration.ofMinutes(2));
            retryAfter = exchange.getResponse().getHeaders().getFirst("Retry-After");
            var status = exchange.getResponse().getStatusCode();
            return status == null ? null : status.value();
        } finally {
            log.detachAppender(said);
        }
    }
}
