package dev.loomboard.web;

import java.util.concurrent.Semaphore;

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

    private final Semaphore onTheWire;
    private final Semaphore unpacked;
    /** Even the largest upload is taken when no other is there. */
    private final int mostOfOne;

    private UploadMemory(int wireKib, int unpackedKib) {
        this.onTheWire = new Semaphore(wireKib);
        this.unpacked = new Semaphore(unpackedKib);
        this.mostOfOne = Math.min(MOST_OF_ONE, unpackedKib);
    }

    /** A sixteenth of the heap for bodies on the wire, an eighth for what is made of them. */
    static UploadMemory ofHeap(long bytes) {
        long kib = Math.min(bytes / KIB, Integer.MAX_VALUE);
        return new UploadMemory(Math.toIntExact(kib / 16), Math.toIntExact(kib / 8));
    }

    Share share() {
        return new Share();
    }

    private static int kib(long bytes) {
        return Math.toIntExact((bytes + KIB - 1) / KIB);
    }

    /** What one request has taken; nothing at first. */
    final class Share {

        private int received;
        private int read;
        private boolean over;

        /** Before a body of at most so many bytes is received; false: there is no room. */
        synchronized boolean receive(long bytes) {
            if (over || !onTheWire.tryAcquire(kib(bytes))) {
                return false;
            }
            received += kib(bytes);
            return true;
        }

        /** Before so many bytes are unpacked; false: there is no room. */
        synchronized boolean unpack(long bytes) {
            int needed = Math.toIntExact(Math.min(mostOfOne, (long) TIMES_ITS_SIZE * kib(bytes)));
            if (over || !unpacked.tryAcquire(needed)) {
                return false;
            }
            read += needed;
            return true;
        }

        /** The request is over, whatever came of it. */
        synchronized void end() {
            over = true;
            onTheWire.release(received);
            unpacked.release(read);
            received = 0;
            read = 0;
        }
    }
}
