package dev.loomboard.server.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helidon.webserver.http.HttpService;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The variant runs requests on the threads its name promises. */
class ThreadsTest {

    private static final int REQUESTS = 300;

    @Test
    void virtual_givesEachRequestAVirtualThread() throws Exception {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        var arriving = new CountDownLatch(REQUESTS);
        var released = new CountDownLatch(1);
        HttpService probe = rules -> rules.post("/probe", (request, response) -> {
            threads.add(Thread.currentThread());
            arriving.countDown();
            released.await();
            response.send();
        });
        try (var server = RunningServer.start(Declared.variant("virtual"), probe)) {
            var answers = server.post("/probe", REQUESTS);
            assertTrue(arriving.await(30, TimeUnit.SECONDS));

            assertEquals(REQUESTS, threads.size());
            assertTrue(threads.stream().allMatch(Thread::isVirtual));
            released.countDown();
            answers.join();
        }
    }
}
