package dev.loomboard.server.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;
import reactor.test.StepVerifier;

/** The reactive variant works on its event loops and lets no thread wait. */
class ThreadsTest {

    private static final int REQUESTS = 300;

    @Test
    void reactive_holdsManyRequestsOnItsEventLoops() {
        try (var server = RunningServer.start(Declared.variant("reactive").args())) {
            var probe = server.context().getBean(Probe.class);
            var answers = CompletableFuture.allOf(
                    Stream.generate(() -> server.post("/probe")).limit(REQUESTS).toArray(CompletableFuture[]::new));

            await().atMost(Duration.ofSeconds(30)).until(() -> probe.inside.get() == REQUESTS);
            assertThat(probe.threads)
                    .hasSizeLessThanOrEqualTo(LoopResources.DEFAULT_IO_WORKER_COUNT)
                    .allMatch(thread -> thread.getName().startsWith("reactor-http-"));

            probe.released.tryEmitEmpty().orThrow();
            answers.join();
        }
    }

    @Test
    void io_delaysTheResponseByATimer() {
        var workloads = new WorkloadController();
        assertDelayed(() -> workloads.io(100), Duration.ofMillis(100));
        assertDelayed(() -> workloads.matmul(3, 25, 42L), Duration.ofMillis(25));
        assertDelayed(() -> workloads.mixed(3, 100, 42L), Duration.ofMillis(100));
    }

    /** In virtual time: a workload that slept would answer before the clock is moved on. */
    private static void assertDelayed(Supplier<Mono<String>> workload, Duration delay) {
        StepVerifier.withVirtualTime(workload)
                .expectSubscription()
                .expectNoEvent(delay.minusMillis(1))
                .thenAwait(Duration.ofMillis(1))
                .expectNextCount(1)
                .verifyComplete();
    }
}
