package dev.loomboard.server.quarkus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Each variant works on the threads its name promises. */
class ThreadsTest {

    /** More than the worker pool has threads on a machine of less than 37 processors. */
    private static final int REQUESTS = 300;

    private static final String WORKLOADS = "dev.loomboard.server.quarkus.Workloads";

    @Test
    void blocking_hasAWorkerForEachRequestAsLongAsThereAre() throws Exception {
        int workers = Math.max(200, 8 * Runtime.getRuntime().availableProcessors()); // Quarkus's default
        try (var server = RunningServer.start(Declared.variant("blocking"))) {
            server.post("/io?delayMs=60000", REQUESTS);
            var threads = awaitThreads(server, WORKLOADS, found -> found.size() == Math.min(workers, REQUESTS));
            assertTrue(threads.stream().allMatch(thread -> thread.contains("\"executor-thread-")), threads::toString);
        }
    }

    @Test
    void virtual_givesEachRequestAVirtualThread() throws Exception {
        try (var server = RunningServer.start(Declared.variant("virtual"))) {
            server.post("/io?delayMs=60000", REQUESTS);
            var threads = awaitThreads(server, WORKLOADS, found -> found.size() == REQUESTS);
            assertTrue(threads.stream().allMatch(thread -> thread.contains("\" virtual")), threads::toString);
        }
    }

    @Test
    void reactive_letsNoThreadWaitAndCalculatesOnWorkers() throws Exception {
        try (var server = RunningServer.start(Declared.variant("reactive"))) {
            server.post("/io?delayMs=60000", REQUESTS);
            for (int i = 0; i < REQUESTS; i++) { // while they arrive, and after
                assertEquals("ok", server.send("POST", "/empty").body());
            }
            assertEquals(List.of(), server.threadsIn(WORKLOADS));

            server.post("/thread-start?count=2000000", 1);
            var threads = awaitThreads(server, WORKLOADS, found -> !found.isEmpty());
            assertTrue(threads.stream().allMatch(thread -> thread.contains("\"executor-thread-")), threads::toString);
        }
    }

    private static List<String> awaitThreads(RunningServer server, String type, Predicate<List<String>> enough)
            throws Exception {
        List<String> threads = List.of();
        for (long until = System.nanoTime() + 30_000_000_000L; System.nanoTime() < until; ) {
            threads = server.threadsIn(type);
            if (enough.test(threads)) {
                return threads;
            }
        }
        throw new AssertionError(threads.size() + " threads: " + threads);
    }
}
