package dev.loomboard.server.mvc;

import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The workloads, written the blocking way for every variant: only the kind of thread underneath differs. The work comes
 * first, the delay after it.
 */
@RestController
@RequestMapping(produces = MediaType.TEXT_PLAIN_VALUE)
final class WorkloadController {

    private static final String OK = "ok";

    @PostMapping("/empty")
    String empty() {
        return OK;
    }

    @PostMapping("/io")
    String io(@RequestParam(defaultValue = "100") long delayMs) throws InterruptedException {
        Thread.sleep(Bounds.delayMs(delayMs));
        return OK;
    }

    /** An object of this request's own, written by Spring's JSON library. */
    @PostMapping(path = "/json", produces = MediaType.APPLICATION_JSON_VALUE)
    Message json() {
        return new Message("Hello, World!");
    }

    @PostMapping("/compute")
    String compute(@RequestParam(required = false) @Nullable Long seed) {
        return Work.compute(seed);
    }

    @PostMapping("/matmul")
    String matmul(
            @RequestParam(defaultValue = "200") int size,
            @RequestParam(defaultValue = "25") long delayMs,
            @RequestParam(required = false) @Nullable Long seed)
            throws InterruptedException {
        return multiplyThenSleep(Bounds.size(size), Bounds.delayMs(delayMs), seed);
    }

    @PostMapping("/mixed")
    String mixed(
            @RequestParam(defaultValue = "150") int size,
            @RequestParam(defaultValue = "100") long delayMs,
            @RequestParam(required = false) @Nullable Long seed)
            throws InterruptedException {
        return multiplyThenSleep(Bounds.size(size), Bounds.delayMs(delayMs), seed);
    }

    /** A batch: as many threads of the kind that serves this request, one after the other. */
    @PostMapping("/thread-start")
    String threadStart(@RequestParam(defaultValue = "100000") int count) throws InterruptedException {
        return Threads.startOneByOne(Bounds.count(count), Thread.currentThread().isVirtual());
    }

    private static String multiplyThenSleep(int size, long delayMs, @Nullable Long seed) throws InterruptedException {
        String answer = Work.matmul(size, seed);
        Thread.sleep(delayMs);
        return answer;
    }
}
