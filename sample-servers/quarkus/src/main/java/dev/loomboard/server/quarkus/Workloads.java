package dev.loomboard.server.quarkus;

import java.util.OptionalLong;

/** The workloads one line after the other, for whatever kind of thread. The work comes first, the delay after it. */
final class Workloads {

    static final String OK = "ok";

    private Workloads() {}

    static String io(long delayMs) throws InterruptedException {
        Thread.sleep(delayMs);
        return OK;
    }

    static String multiplyThenSleep(int size, long delayMs, OptionalLong seed) throws InterruptedException {
        String answer = Work.matmul(size, seed);
        Thread.sleep(delayMs);
        return answer;
    }

    /** A batch: as many threads of the kind that calls, one after the other. */
    static String threadStart(int count) throws InterruptedException {
        return Threads.startOneByOne(count, Thread.currentThread().isVirtual());
    }
}
