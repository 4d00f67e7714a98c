package dev.loomboard.rollup;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The samples of one metric of one trial, in the order of time; a null was not measured. */
public final class SampleColumn {

    /** A tick is taken for a moment if it is this near: half as much again as the usual second between ticks. */
    static final long NEAR_NANOS = 1_500_000_000L;

    private static final double SECOND = 1e9;

    private final long[] nanos;
    private final @Nullable Double[] values;

    public SampleColumn(long[] nanos, @Nullable Double[] values) {
        if (nanos.length != values.length) {
            throw new IllegalArgumentException("a column needs a time for each value, has " + nanos.length
                    + " times and " + values.length + " values");
        }
        this.nanos = nanos;
        this.values = values;
    }

    /** @param seconds between the two ticks, positive */
    public record Rise(double by, double seconds) {
        public double perSecond() {
            return by / seconds;
        }
    }

    /** One after the other, as batches give them. */
    public static SampleColumn of(List<SampleColumn> parts) {
        return new SampleColumn(
                parts.stream().flatMapToLong(c -> Arrays.stream(c.nanos)).toArray(),
                parts.stream().flatMap(c -> Arrays.stream(c.values)).toArray(Double[]::new));
    }

    public int size() {
        return nanos.length;
    }

    public double seconds(int tick) {
        return nanos[tick] / SECOND;
    }

    /** How much a counter rose between the measured ticks nearest to two moments; empty: not measured, or it was reset. */
    public Optional<Rise> rise(long fromNanos, long toNanos) {
        int from = nearest(fromNanos);
        int to = nearest(toNanos);
        if (from < 0 || to < 0 || nanos[from] >= nanos[to]) {
            return Optional.empty();
        }
        Double first = values[from];
        Double last = values[to];
        return first == null || last == null || last < first
                ? Optional.empty()
                : Optional.of(new Rise(last - first, (nanos[to] - nanos[from]) / SECOND));
    }

    /** The highest between the measured ticks nearest to two moments, both included. */
    public OptionalDouble max(long fromNanos, long toNanos) {
        int from = nearest(fromNanos);
        int to = nearest(toNanos);
        if (from < 0 || to < from) {
            return OptionalDouble.empty();
        }
        return IntStream.rangeClosed(from, to)
                .mapToObj(tick -> values[tick])
                .filter(v -> v != null)
                .mapToDouble(v -> v)
                .max();
    }

    /** The measured tick nearest to a moment; -1: none is near. */
    private int nearest(long moment) {
        int best = -1;
        for (int tick = 0; tick < nanos.length; tick++) {
            long off = Math.abs(nanos[tick] - moment);
            if (values[tick] != null && off <= NEAR_NANOS && (best < 0 || off < Math.abs(nanos[best] - moment))) {
                best = tick;
            }
        }
        return best;
    }
}
