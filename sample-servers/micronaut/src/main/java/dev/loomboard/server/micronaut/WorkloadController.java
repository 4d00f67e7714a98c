package dev.loomboard.server.micronaut;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;

/**
 * The workloads, written the blocking way for both variants: only the kind of thread underneath differs. The work comes
 * first, the delay after it.
 */
@Controller
@Produces(MediaType.TEXT_PLAIN)
@ExecuteOn(TaskExecutors.BLOCKING)
final class WorkloadController {

    private static final String OK = "ok";

    @Post("/empty")
    String empty() {
        return OK;
    }

    @Post("/io")
    String io(@QueryValue(defaultValue = "100") long delayMs) throws InterruptedException {
        Thread.sleep(Bounds.delayMs(delayMs));
        return OK;
    }

    /** An object of this request's own, written by Micronaut Serialization. */
    @Post("/json")
    @Produces(MediaType.APPLICATION_JSON)
    Message json() {
        return new Message("Hello, World!");
    }

    @Post("/compute")
    String compute(@QueryValue @Nullable Long seed) {
        return Work.compute(seed);
    }

    @Post("/matmul")
    String matmul(
            @QueryValue(defaultValue = "200") int size,
            @QueryValue(defaultValue = "25") long delayMs,
            @QueryValue @Nullable Long seed)
            throws InterruptedException {
        return multiplyThenSleep(Bounds.size(size), Bounds.delayMs(delayMs), seed);
    }

    @Post("/mixed")
    String mixed(
            @QueryValue(defaultValue = "150") int size,
            @QueryValue(defaultValue = "100") long delayMs,
            @QueryValue @Nullable Long seed)
            throws InterruptedException {
        return multiplyThenSleep(Bounds.size(size), Bounds.delayMs(delayMs), seed);
    }

    /** A batch: as many threads of the kind that serves this request, one after the other. */
    @Post("/thread-start")
    String threadStart(@QueryValue(defaultValue = "100000") int count) throws InterruptedException {
        return Threads.startOneByOne(Bounds.count(count), Thread.currentThread().isVirtual());
    }

    private static String multiplyThenSleep(int size, long delayMs, @Nullable Long seed) throws InterruptedException {
        String answer = Work.matmul(size, seed);
        Thread.sleep(delayMs);
        return answer;
    }
}
