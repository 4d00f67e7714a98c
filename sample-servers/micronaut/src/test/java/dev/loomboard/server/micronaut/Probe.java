package dev.loomboard.server.micronaut;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Holds every request until it is released. It is on the test class path only. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
final class Probe {

    static final int REQUESTS = 300;

    final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    final CountDownLatch arriving = new CountDownLatch(REQUESTS);
    final CountDownLatch released = new CountDownLatch(1);

    @Post("/probe")
    String hold() throws InterruptedException {
        threads.add(Thread.currentThread());
        arriving.countDown();
        released.await();
        return "ok";
    }
}
