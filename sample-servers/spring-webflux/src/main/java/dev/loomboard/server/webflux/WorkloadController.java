package dev.loomboard.server.webflux;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/**
 * The workloads, written the reactive way. CPU work runs on the event loop that read the request (RATIONALE.md says
 * why); then the response is delayed by a timer, and no thread waits.
 */
@RestController
@RequestMapping(produces = MediaType.TEXT_PLAIN_VALUE)
final class WorkloadController {

    private static final String OK = "ok";

    @PostMapping("/empty")
    Mono<String> empty() {
        return Mono.just(OK);
    }

    @PostMapping("/io")
    Mono<String> io(@RequestParam(defaultValue = "100") long delayMs) {
        return Mono.just(OK).delayElement(Duration.ofMillis(Bounds.delayMs(delayMs)));
    }

    /** An object of this request's own, written by Spring's JSON library. */
    @PostMapping(path = "/json", produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<Message> json() {
        return Mono.fromSupplier(() -> new Message("Hello, World!"));
    }

    @PostMapping("/compute")
    Mono<String> compute(@RequestParam(required = false) @Nullable Long seed) {
        return Mono.fromSupplier(() -> Work.compute(seed));
    }

    @PostMapping("/matmul")
    Mono<String> matmul(
            @RequestParam(defaultValue = "200") int size,
            @RequestParam(defaultValue = "25") long delayMs,
            @RequestParam(required = false) @Nullable Long seed) {
        return multiplyThenDelay(Bounds.size(size), Bounds.delayMs(delayMs), seed);
    }

    @PostMapping("/mixed")
    Mono<String> mixed(
            @RequestParam(defaultValue = "150") int size,
            @RequestParam(defaultValue = "100") long delayMs,
            @RequestParam(required = false) @Nullable Long seed) {
        return multiplyThenDelay(Bounds.size(size), Bounds.delayMs(delayMs), seed);
    }

    private static Mono<String> multiplyThenDelay(int size, long delayMs, @Nullable Long seed) {
        return Mono.fromSupplier(() -> Work.matmul(size, seed)).delayElement(Duration.ofMillis(delayMs));
    }
}
