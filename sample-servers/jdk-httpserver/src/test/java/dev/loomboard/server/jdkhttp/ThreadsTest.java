package dev.loomboard.server.jdkhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Each variant runs requests on the threads its name promises. */
class ThreadsTest {

    private static final int REQUESTS = 100;

    @Test
    void platform64_runsSixtyFourRequestsAndQueuesTheRest() throws Exception {
        var probe = new Probe(64);
        try (var server = RunningServer.start(Declared.variant("platform-64"), Map.of("/probe", probe))) {
            var answers = server.post("/probe", REQUESTS);
            assertTrue(probe.arriving.await(30, TimeUnit.SECONDS));
            probe.released.countDown();
            answers.join();

            assertEquals(64, probe.threads.size());
            assertTrue(probe.threads.stream().noneMatch(Thread::isVirtual));
            // A pool makes a thread for each request until it has as many as it may.
            assertEquals(64, ((ThreadPoolExecutor) server.server().threads()).getLargestPoolSize());
        }
    }

    @Test
    void virtual_givesEachRequestAVirtualThread() throws Exception {
        var probe = new Probe(REQUESTS);
        try (var server = RunningServer.start(Declared.variant("virtual"), Map.of("/probe", probe))) {
            var answers = server.post("/probe", REQUESTS);
            assertTrue(probe.arriving.await(30, TimeUnit.SECONDS));

            assertEquals(REQUESTS, probe.threads.size());
            assertTrue(probe.threads.stream().allMatch(Thread::isVirtual));
            probe.released.countDown();
            answers.join();
        }
    }
}
