package dev.loomboard.server.jdkhttp;

import java.util.Map;

/**
 * The workloads by their paths, written the blocking way for every variant: only the kind of thread underneath differs.
 * The work comes first, the delay after it.
 */
final class Workloads {

    static final Map<String, Workload> BY_PATH = Map.of(
            "/empty", Workloads::empty,
            "/io", Workloads::io,
            "/compute", Workloads::compute,
            "/matmul", Workloads::matmul,
            "/mixed", Workloads::mixed,
            "/json", new Hello(),
            "/thread-start", Workloads::threadStart);

    private static final String OK = "ok";

    private Workloads() {}

    static String empty(Parameters parameters) {
        return OK;
    }

    static String io(Parameters parameters) throws InterruptedException {
        Thread.sleep(parameters.delayMs(100));
        return OK;
    }

    static String compute(Parameters parameters) {
        return Work.compute(parameters.seed());
    }

    static String matmul(Parameters parameters) throws InterruptedException {
        return multiplyThenSleep(parameters, parameters.size(200), parameters.delayMs(25));
    }

    static String mixed(Parameters parameters) throws InterruptedException {
        return multiplyThenSleep(parameters, parameters.size(150), parameters.delayMs(100));
    }

    /** A batch: as many threads of the kind that serves this request, one after the other. */
    static String threadStart(Parameters parameters) throws InterruptedException {
        return Threads.startOneByOne(
                parameters.count(100_000), Thread.currentThread().isVirtual());
    }

    private static String multiplyThenSleep(Parameters parameters, int size, long delayMs) throws InterruptedException {
        String answer = Work.matmul(size, parameters.seed());
        Thread.sleep(delayMs);
        return answer;
    }
}
