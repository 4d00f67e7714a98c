package dev.loomboard.server.jdkhttp;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Holds every request until it is released. */
final class Probe implements Workload {

    final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    final CountDownLatch arriving;
    final CountDownLatch released = new CountDownLatch(1);

    /** @param requests that are waited for at {@link #arriving} */
    Probe(int requests) {
        arriving = new CountDownLatch(requests);
    }

    @Override
    public String answer(Parameters parameters) throws InterruptedException {
        threads.add(Thread.currentThread());
        arriving.countDown();
        released.await();
        return "ok";
    }
}
