package dev.loomboard.limits;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * What all uploads together may take of the heap: less than a quarter. An upload takes its part before its body is read,
 * and more before it is unpacked; where there is not enough left it is refused at once, and its sender comes back later.
 * Waiting for room would hold what is to be bounded.
 */
final class UploadMemory {

    private static final int KIB = 1024;

    /** While a batch is read and stored, numbers are objects and a histogram is there several times. */
    private static final int TIMES_ITS_SIZE = 32;

    /** The most that one ever takes, in KiB: the contract bounds how many numbers a batch may have. */
    private static final int MOST_OF_ONE = 192 * KIB;

    private final Room onTheWire;
    private final Room unpacked;
    /** Even the largest upload is taken when no other is there. */
    private final int mostOfOne;

    private UploadMemory(int wireKib, int unpackedKib) {
        this.onTheWire = new Room(wireKib);
        this.unpacked = new Room(unpackedKib);
        this.mostOfOne = Math.min(MOST_OF_ONE, unpackedKib);
    }

    /** A sixteenth of the heap for bodies on the wire, an eighth for what is made of them. */
    static UploadMemory ofHeap(long bytes) {
        long kib = Math.min(bytes / KIB, Integer.MAX_VALUE);
        return new UploadMemory(Math.toIntExact(kib / 16), Math.toIntExact(kib / 8));
    }

    /** Shows an operator how much is taken, and how often there was no room. */
    void show(MeterRegistry registry) {
        onTheWire.show(registry, "wire");
        unpacked.show(registry, "unpacked");
    }

    Share share() {
        return new Share();
    }

    private static int kib(long bytes) {
        return Math.toIntExact((bytes + KIB - 1) / KIB);
    }

    private record Room(int most, Semaphore free, LongAdder refused) {

        Room(int kib) {
            this(kib, new Semaphore(kib), new LongAdder());
        }

        boolean tryTake(int kib) {
            boolean taken = free.tryAcquire(kib);
            if (!taken) {
                refused.increment();
            }
            return taken;
        }

        void giveBack(int kib) {
            free.release(kib);
        }

        void show(MeterRegistry registry, String stage) {
            Gauge.builder(
                            "loomboard.upload.memory.used",
                            this,
                            room -> (room.most - room.free.availablePermits()) * (double) KIB)
                    .description("Heap that uploads have taken, for bodies on the wire and for what is made of them")
                    .baseUnit("bytes")
                    .tag("stage", stage)
                    .register(registry);
            Gauge.builder("loomboard.upload.memory.max", this, room -> room.most * (double) KIB)
                    .description("Heap that all uploads together may take")
                    .baseUnit("bytes")
                    .tag("stage", stage)
                    .register(registry);
            FunctionCounter.builder("loomboard.upload.memory.refused", refused, LongAdder::sum)
                    .description("Uploads that were refused because there was no room")
                    .tag("stage", stage)
                    .register(registry);
        }
    }

    /** What one request has taken; nothing at first. */
    final class Share {

        private int received;
        private int read;
        private boolean over;

        /** To be called before a body of at most this many bytes is received; false: there is no room. */
        synchronized boolean receive(long bytes) {
            if (over || !onTheWire.tryTake(kib(bytes))) {
                return false;
            }
            received += kib(bytes);
            return true;
        }

        /** To be called before this many bytes are unpacked; false: there is no room. */
        synchronized boolean unpack(long bytes) {
            int needed = Math.toIntExact(Math.min(mostOfOne, (long) TIMES_ITS_SIZE * kib(bytes)));
            if (over || !unpacked.tryTake(needed)) {
                return false;
            }
            read += needed;
            return true;
        }

        /** The request is over, whatever came of it. */
        synchronized void end() {
            over = true;
            onTheWire.giveBack(received);
            unpacked.giveBack(read);
            received = 0;
            read = 0;
        }
    }
}
