package dev.loomboard.server.mvc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Holds every request until it is released. The application's component scan finds it: it is on the test class path only. */
@RestController
final class Probe {

    final AtomicInteger inside = new AtomicInteger();
    final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    final CountDownLatch released = new CountDownLatch(1);

    @PostMapping("/probe")
    String hold() throws InterruptedException {
        threads.add(Thread.currentThread());
        inside.incrementAndGet();
        released.await();
        return "ok";
    }
}
