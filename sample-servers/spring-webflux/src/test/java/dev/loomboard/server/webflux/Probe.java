package dev.loomboard.server.webflux;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Delays every response until it is released. The application's component scan finds it: it is on the test class path only. */
@RestController
final class Probe {

    final AtomicInteger inside = new AtomicInteger();
    final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    final Sinks.Empty<String> released = Sinks.empty();

    @PostMapping("/probe")
    Mono<String> hold() {
        return Mono.fromRunnable(this::entered).then(released.asMono()).thenReturn("ok");
    }

    private void entered() {
        threads.add(Thread.currentThread());
        inside.incrementAndGet();
    }
}
