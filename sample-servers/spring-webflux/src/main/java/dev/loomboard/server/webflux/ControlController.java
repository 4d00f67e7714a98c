package dev.loomboard.server.webflux;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What the agent needs around a measurement; never part of one. */
@RestController
@RequestMapping(produces = MediaType.TEXT_PLAIN_VALUE)
final class ControlController {

    @GetMapping("/ready")
    Mono<String> ready() {
        return Mono.just("ready");
    }

    /**
     * Asks for a full collection and answers when it is over; the caller proves by counters that one happened. Concurrent
     * collectors block only the caller, so that must not be an event loop.
     */
    @PostMapping("/gc")
    Mono<String> gc() {
        return Mono.fromRunnable(System::gc).thenReturn("ok").subscribeOn(Schedulers.boundedElastic());
    }
}
