package dev.loomboard.server.mvc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.coyote.AbstractProtocol;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** Each variant runs requests on the threads its name promises. */
class ThreadsTest {

    /** More than Tomcat's default of 200 threads, so that a forgotten setting shows. */
    private static final int REQUESTS = 300;

    @ParameterizedTest
    @CsvSource({"platform-100, 100, 300", "platform-500, 500, 600"})
    void platform_runsAsManyRequestsAsItHasThreadsAndQueuesTheRest(String variant, int threads, int requests) {
        try (var server = RunningServer.start(Declared.variant(variant).args())) {
            var probe = server.context().getBean(Probe.class);
            var pool = (ThreadPoolExecutor) protocol(server).getExecutor();
            var answers = hold(server, requests);

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> probe.inside.get() + pool.getQueue().size() == requests);
            assertThat(probe.inside).hasValue(threads);
            assertThat(probe.threads).hasSize(threads).noneMatch(Thread::isVirtual);

            release(probe, answers, requests);
            assertThat(pool.getLargestPoolSize()).isEqualTo(threads);
        }
    }

    @Test
    void platformUnlimited_givesEachRequestAPlatformThread() {
        try (var server =
                RunningServer.start(Declared.variant("platform-unlimited").args())) {
            var probe = server.context().getBean(Probe.class);
            var answers = hold(server, REQUESTS);

            await().atMost(Duration.ofSeconds(30)).until(() -> probe.inside.get() == REQUESTS);
            assertThat(probe.threads).hasSize(REQUESTS).noneMatch(Thread::isVirtual);
            assertThat(protocol(server).getMaxThreads())
                    .isEqualTo(protocol(server).getMaxConnections());

            release(probe, answers, REQUESTS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "virtual-fixed-carriers"})
    void virtual_givesEachRequestAVirtualThread(String variant) {
        try (var server = RunningServer.start(Declared.variant(variant).args())) {
            var probe = server.context().getBean(Probe.class);
            var answers = hold(server, REQUESTS);

            await().atMost(Duration.ofSeconds(30)).until(() -> probe.inside.get() == REQUESTS);
            assertThat(probe.threads).hasSize(REQUESTS).allMatch(Thread::isVirtual);

            release(probe, answers, REQUESTS);
        }
    }

    @Test
    void virtualFixedCarriers_hasOneCarrier() throws Exception {
        assertThat(Carriers.of(Declared.variant("virtual-fixed-carriers").jvmOptions()))
                .hasSize(1);
    }

    private static CompletableFuture<?> hold(RunningServer server, int requests) {
        return CompletableFuture.allOf(
                Stream.generate(() -> server.post("/probe")).limit(requests).toArray(CompletableFuture[]::new));
    }

    private static void release(Probe probe, CompletableFuture<?> answers, int requests) {
        probe.released.countDown();
        answers.join();
        assertThat(probe.inside).hasValue(requests);
    }

    private static AbstractProtocol<?> protocol(RunningServer server) {
        var webServer = ((ServletWebServerApplicationContext) server.context()).getWebServer();
        return (AbstractProtocol<?>)
                ((TomcatWebServer) webServer).getTomcat().getConnector().getProtocolHandler();
    }
}
