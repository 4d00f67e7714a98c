package dev.loomboard.server.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each variant works on the threads its name promises, and lets no event loop wait. */
class ThreadsTest {

    /** More than the worker pool and the event loops have threads. */
    private static final int REQUESTS = 300;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @ParameterizedTest
    @MethodSource("dev.loomboard.server.vertx.Declared#variants")
    void delayedRequests_letOthersPass(Declared.Variant variant) throws Exception {
        try (var server = RunningServer.start(variant.args())) {
            hold(server);
            for (int i = 0; i < REQUESTS; i++) { // while they arrive, and after
                assertThat(server.send("POST", "/empty").body()).isEqualTo("ok");
            }
        }
    }

    @Test
    void eventLoop_calculatesOnWorkers() throws Exception {
        try (var server = RunningServer.start(Declared.variant("event-loop").args())) {
            server.post("/thread-start?count=2000000");
            await().atMost(PATIENCE)
                    .until(
                            () -> Dump.threadsIn(Threads.class),
                            threads -> threads.stream().anyMatch(thread -> thread.contains("\"vert.x-worker-thread-")));
            assertThat(server.send("POST", "/compute").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void virtual_givesEachRequestAVirtualThread() {
        try (var server = RunningServer.start(Declared.variant("virtual").args())) {
            hold(server);
            await().atMost(PATIENCE)
                    .until(
                            () -> Dump.threadsIn(VirtualVerticle.class),
                            threads -> threads.size() == REQUESTS
                                    && threads.stream().allMatch(thread -> thread.contains("\" virtual")));
        }
    }

    private static void hold(RunningServer server) {
        Stream.generate(() -> "/io?delayMs=60000").limit(REQUESTS).forEach(server::post);
    }
}
