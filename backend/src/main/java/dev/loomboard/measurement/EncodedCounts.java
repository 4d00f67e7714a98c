package dev.loomboard.measurement;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Walks the counts of a histogram as they are encoded, without making the histogram: that has thirty thousand buckets, of
 * which a second of load fills some hundred. In HdrHistogram's V2 encoding each number is zig-zag LEB128 of at most nine bytes,
 * negative for a run of empty buckets. From 1 ns with 3 digits there are 2048 buckets, then 1024 for each power of two.
 */
final class EncodedCounts {

    private static final int OF_A_POWER = 1024;
    private static final int WHOLE_BITS = 10; // of 1024
    private static final int LAST_BYTE = 8;
    /** Far above what any trial counts, far below where a sum of counts overflows. */
    private static final long MOST_HITS = 1_000_000_000_000L;

    private EncodedCounts() {}

    /**
     * All hits.
     *
     * @param highest ns that the header has room for
     */
    static long hits(ByteBuffer counts, long highest) {
        long room = (power(highest) + 2L) * OF_A_POWER;
        long last = bucket(EncodedHistogram.HIGHEST);
        long hits = 0;
        try {
            for (long bucket = 0; counts.hasRemaining(); ) {
                long number = next(counts);
                if (number > MOST_HITS - hits) {
                    throw EncodedHistogram.refused("it counts more hits than can be");
                }
                if (number > 0 && bucket > last) {
                    throw EncodedHistogram.refused("it has a value above " + EncodedHistogram.HIGHEST + " ns");
                }
                boolean fits = number >= -room;
                bucket += fits && number < 0 ? -number : 1;
                if (!fits || bucket > room) {
                    throw EncodedHistogram.refused("its counts do not fit its header");
                }
                hits += Math.max(0, number);
            }
        } catch (BufferUnderflowException e) {
            throw EncodedHistogram.refused("its last count is cut off");
        }
        return hits;
    }

    private static long next(ByteBuffer counts) {
        long coded = 0;
        for (int i = 0; i < LAST_BYTE; i++) {
            byte seven = counts.get();
            coded |= (seven & 0x7fL) << 7 * i;
            if (seven >= 0) {
                return signed(coded);
            }
        }
        return signed(coded | (counts.get() & 0xffL) << 7 * LAST_BYTE);
    }

    private static long signed(long zigZag) {
        return (zigZag >>> 1) ^ -(zigZag & 1);
    }

    private static long bucket(long nanos) {
        int power = power(nanos);
        return (long) power * OF_A_POWER + (nanos >>> power);
    }

    /** Of the width of a value's bucket. */
    private static int power(long nanos) {
        return Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - WHOLE_BITS);
    }
}
