package dev.loomboard.limits.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Attacker;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import reactor.core.publisher.Flux;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRoutes;

/** Each time limit of a connection by itself: no other ends it. */
final class ConnectionConfigTest {

    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration LONG = Duration.ofMinutes(2);

    private static final String POST = "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\na";
    private static final byte[] MIB = new byte[1 << 20];

    @Test
    void connection_on_which_no_request_becomes_whole_is_closed() throws IOException {
        NettyServerCustomizer idle = limits(SOON, NEVER, NEVER, NEVER);
        assertEnds(idle, "", Attacker::isClosedByTheService);
        assertEnds(idle, "GET / HTTP/1.1\r\nX-Slow: ", ConnectionConfigTest::isClosedThoughBytesCome);
    }

    @Test
    void body_that_pauses_is_cut_off() throws IOException {
        assertEnds(limits(NEVER, SOON, NEVER, NEVER), POST.formatted("/read"), Attacker::isClosedByTheService);
    }

    @Test
    void body_that_comes_slowly_is_cut_off() throws IOException {
        assertEnds(
                limits(NEVER, NEVER, SOON, NEVER),
                POST.formatted("/read"),
                ConnectionConfigTest::isClosedThoughBytesCome);
    }

    @Test
    void body_that_goes_on_after_its_answer_is_cut_off() throws IOException {
        assertEnds(
                limits(NEVER, NEVER, SOON, NEVER),
                POST.formatted("/refused"),
                ConnectionConfigTest::isClosedThoughBytesCome);
    }

    @Test
    void answer_that_nobody_takes_is_cut_off() throws IOException {
        assertEnds(limits(NEVER, NEVER, NEVER, SOON), "GET /large HTTP/1.1\r\nHost: x\r\n\r\n", Attacker::isCutOff);
    }

    private static NettyServerCustomizer limits(Duration idle, Duration pause, Duration body, Duration write) {
        return new ConnectionConfig().connectionLimits(new OpenConnections(0), idle, pause, body, write);
    }

    /**
     * @param first what is sent at first
     * @param ends what becomes of the connection then
     */
    private static void assertEnds(NettyServerCustomizer limits, String first, Predicate<Attacker> ends)
            throws IOException {
        DisposableServer server = limits.apply(
                        HttpServer.create().host("127.0.0.1").port(0))
                .route(ConnectionConfigTest::routes)
                .bindNow(LONG);
        try (Attacker one = new Attacker("http://127.0.0.1:" + server.port(), "127.0.0.1")) {
            one.send(first.getBytes(US_ASCII));
            assertThat(ends.test(one)).isTrue();
        } finally {
            server.disposeNow(LONG);
        }
    }

    private static void routes(HttpServerRoutes routes) {
        routes.post("/read", (request, response) -> request.receive().then().then(response.send()))
                .post("/refused", (request, response) -> response.status(404).send())
                .get(
                        "/large",
                        (request, response) -> response.send(Flux.range(0, 64).map(i -> Unpooled.wrappedBuffer(MIB))));
    }

    private static boolean isClosedThoughBytesCome(Attacker one) {
        Thread.ofVirtual().start(one::trickle);
        return one.isClosedByTheService();
    }
}
