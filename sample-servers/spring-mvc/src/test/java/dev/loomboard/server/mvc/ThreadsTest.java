package dev.loomboard.server.mvc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.coyote.AbstractProtocol;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** Each variant runs requests on the threads its name promises. */
class ThreadsTest {

    /** More than Tomcat's default of 200 threads, so that a forgotten setting shows. */
    private static final int REQUESTS = 300;

    @Test
    void platform100_runsAHundredRequestsAndQueuesTheRest() {
        try (var server = RunningServer.start(Declared.variant("platform-100").args())) {
            var probe = server.context().getBean(Probe.class);
            var pool = (ThreadPoolExecutor) protocol(server).getExecutor();
            var answers = hold(server);

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> probe.inside.get() + pool.getQueue().size() == REQUESTS);
            assertThat(probe.inside).hasValue(100);
            assertThat(probe.threads).hasSize(100).noneMatch(Thread::isVirtual);

            release(probe, answers);
            assertThat(pool.getLargestPoolSize()).isEqualTo(100);
        }
    }

    @Test
    void platformUnlimited_givesEachRequestAPlatformThread() {
        try (var server =
                RunningServer.start(Declared.variant("platform-unlimited").args())) {
            var probe = server.context().getBean(Probe.class);
            var answers = hold(server);

            await().atMost(Duration.ofSeconds(30)).until(() -> probe.inside.get() == REQUESTS);
            assertThat(probe.threads).hasSize(REQUESTS).noneMatch(Thread::isVirtual);
            assertThat(protocol(server).getMaxThreads())
                    .isEqualTo(protocol(server).getMaxConnections());

            release(probe, answers);
        }
    }

    @Test
    void virtual_givesEachRequestAVirtualThread() {
        try (var server = RunningServer.start(Declared.variant("virtual").args())) {
            var probe = server.context().getBean(Probe.class);
            var answers = hold(server);

            await().atMost(Duration.ofSeconds(30)).until(() -> probe.inside.get() == REQUESTS);
            assertThat(probe.threads).hasSize(REQUESTS).allMatch(Thread::isVirtual);

            release(probe, answers);
        }
    }

    private static CompletableFuture<?> hold(RunningServer server) {
        return CompletableFuture.allOf(
                Stream.generate(() -> server.post("/probe")).limit(REQUESTS).toArray(CompletableFuture[]::new));
    }

    private static void release(Probe probe, CompletableFuture<?> answers) {
        probe.released.countDown();
        answers.join();
        assertThat(probe.inside).hasValue(REQUESTS);
    }

    private static AbstractProtocol<?> protocol(RunningServer server) {
        var webServer = ((ServletWebServerApplicationContext) server.context()).getWebServer();
        return (AbstractProtocol<?>)
                ((TomcatWebServer) webServer).getTomcat().getConnector().getProtocolHandler();
    }
}
