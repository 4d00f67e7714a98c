package dev.loomboard.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.ChannelOption;
import io.netty.handler.timeout.WriteTimeoutHandler;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Answers in pieces, by themselves and to a reader who takes nothing. */
final class PiecewiseAnswerTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final MockServerHttpResponse response = new MockServerHttpResponse();

    @Test
    void whole_is_made_of_its_pieces_in_order() {
        List<Long> read = new ArrayList<>();
        long bytes = 2L * PiecewiseAnswer.PIECE + 3;
        PiecewiseAnswer.write(
                        response,
                        bytes,
                        (from, length) -> {
                            read.add(from);
                            byte[] piece = new byte[length];
                            Arrays.fill(piece, (byte) ('a' + read.size() - 1));
                            return Mono.just(piece);
                        },
                        Mono.empty())
                .block(LONG);
        assertThat(read).containsExactly(0L, (long) PiecewiseAnswer.PIECE, 2L * PiecewiseAnswer.PIECE);
        assertThat(response.getHeaders().getContentLength()).isEqualTo(bytes);
        assertThat(response.getBodyAsString().block(LONG))
                .isEqualTo("a".repeat(PiecewiseAnswer.PIECE) + "b".repeat(PiecewiseAnswer.PIECE) + "ccc");
    }

    /** The server asks for 128 pieces at once; a socket takes a few. */
    @Test
    void who_takes_nothing_has_little_read_for_them() throws Exception {
        AtomicInteger read = new AtomicInteger();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        HttpHandler many =
                (request, answer) -> PiecewiseAnswer.write(answer, 256L * PiecewiseAnswer.PIECE, (from, length) -> {
                            read.incrementAndGet();
                            return Mono.just(new byte[length]);
                        })
                        .doFinally(end -> ended.complete(null));
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .childOption(ChannelOption.SO_SNDBUF, PiecewiseAnswer.PIECE)
                .doOnChannelInit(
                        (observer, channel, address) -> channel.pipeline().addFirst(new WriteTimeoutHandler(1)))
                .handle(new ReactorHttpHandlerAdapter(many))
                .bindNow(LONG);
        try (Socket reader = new Socket()) {
            reader.setReceiveBufferSize(PiecewiseAnswer.PIECE);
            reader.connect(server.address());
            reader.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            ended.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(read).hasValueGreaterThan(0).hasValueLessThan(64);
        } finally {
            server.disposeNow(LONG);
        }
    }

    @Test
    void nothing_is_an_answer_too() {
        PiecewiseAnswer.write(
                        response,
                        0,
                        (from, length) -> Mono.error(new AssertionError("nothing is to be read")),
                        Mono.empty())
                .block(LONG);
        assertThat(response.getHeaders().getContentLength()).isZero();
    }

    @Test
    void what_is_gone_or_shorter_than_announced_is_an_error_and_no_shorter_answer() {
        byte[] shorter = "too short".getBytes(StandardCharsets.UTF_8);
        for (Mono<byte[]> piece : List.of(Mono.<byte[]>empty(), Mono.just(shorter))) {
            assertThatThrownBy(() -> PiecewiseAnswer.write(
                                    new MockServerHttpResponse(), 10, (from, length) -> piece, Mono.empty())
                            .block(LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no 10 bytes at 0");
        }
    }
}
