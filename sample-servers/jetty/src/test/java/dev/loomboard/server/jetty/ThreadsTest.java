package dev.loomboard.server.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;

/** Each variant runs requests on the threads its name promises. */
class ThreadsTest {

    /** Fewer than a pool of 200 has left for requests. */
    private static final int REQUESTS = 150;

    @Test
    void platform_givesEachRequestAThreadOfItsPool() throws Exception {
        var probe = new Probe(REQUESTS);
        try (var server = RunningServer.start(Declared.variant("platform"), Map.of("/probe", probe))) {
            var answers = server.post("/probe", REQUESTS);
            assertTrue(probe.arriving.await(30, TimeUnit.SECONDS));

            assertEquals(REQUESTS, probe.threads.size());
            assertTrue(probe.threads.stream().noneMatch(Thread::isVirtual));
            assertEquals(200, ((QueuedThreadPool) server.server().getThreadPool()).getMaxThreads());
            probe.released.countDown();
            answers.join();
        }
    }

    @Test
    void virtual_givesEachRequestAVirtualThread() throws Exception {
        // More than the pool has threads, so that one that serves requests shows.
        var probe = new Probe(300);
        try (var server = RunningServer.start(Declared.variant("virtual"), Map.of("/probe", probe))) {
            var answers = server.post("/probe", 300);
            assertTrue(probe.arriving.await(30, TimeUnit.SECONDS));

            assertEquals(300, probe.threads.size());
            assertTrue(probe.threads.stream().allMatch(Thread::isVirtual));
            probe.released.countDown();
            answers.join();
        }
    }
}
