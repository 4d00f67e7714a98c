package dev.loomboard.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.web.ProblemException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Answers that nobody takes, by a filter whose memory is this process's. */
final class AnswerMemoryFilterTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String FIRST = "192.0.2.1";
    private static final String SECOND = "192.0.2.2";

    private final AnswerMemoryFilter filter = new AnswerMemoryFilter();
    private final byte[] half = new byte[Math.toIntExact(Runtime.getRuntime().maxMemory() / 16)];

    @Test
    void who_takes_nothing_is_given_no_more_until_it_is_taken() {
        Sinks.Empty<Void> taken = Sinks.empty();
        CompletableFuture<Void> first = answer(FIRST, half, taken.asMono()).toFuture();
        assertThat(first).isNotDone();
        assertThatThrownBy(() -> answer(FIRST, half, Mono.empty()).block(LONG))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().status()).isEqualTo(503));
        answer(FIRST, new byte[AnswerMemoryFilter.SMALL], Mono.empty()).block(LONG);
        answer(SECOND, half, Mono.empty()).block(LONG);
        taken.tryEmitEmpty();
        first.join();
        answer(FIRST, half, Mono.empty()).block(LONG);
    }

    @Test
    void who_goes_away_holds_nothing() {
        answer(FIRST, half, Mono.never()).toFuture().cancel(true);
        answer(FIRST, half, Mono.error(new IllegalStateException("the connection is gone")))
                .onErrorComplete(IllegalStateException.class)
                .block(LONG);
        answer(FIRST, half, Mono.empty()).block(LONG);
    }

    /** @param taken completes as the network has taken it */
    private Mono<Void> answer(String address, byte[] body, Mono<Void> taken) {
        MockServerWebExchange exchange = MockServerWebExchange.from(
                MockServerHttpRequest.get("/").remoteAddress(new InetSocketAddress(address, 1)));
        exchange.getResponse().setWriteHandler(written -> taken);
        return filter.filter(
                exchange,
                behind -> behind.getResponse()
                        .writeWith(
                                Mono.just(behind.getResponse().bufferFactory().wrap(body))));
    }
}
