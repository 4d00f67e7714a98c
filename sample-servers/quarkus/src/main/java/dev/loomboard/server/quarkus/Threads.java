package dev.loomboard.server.quarkus;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;

/** Batches that are about threads themselves. */
final class Threads {

    private Threads() {}

    /** Creates, starts and awaits threads, each before the next; the answer is how many of them ran. */
    static String startOneByOne(int count, boolean virtual) throws InterruptedException {
        ThreadFactory factory =
                virtual ? Thread.ofVirtual().factory() : Thread.ofPlatform().factory();
        LongAdder ran = new LongAdder();
        for (int i = 0; i < count; i++) {
            Thread thread = factory.newThread(ran::increment);
            thread.start();
            thread.join();
        }
        return Long.toString(ran.sum());
    }
}
