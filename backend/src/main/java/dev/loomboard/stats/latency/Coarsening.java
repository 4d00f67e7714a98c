package dev.loomboard.stats.latency;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Latencies of fewer different values, which take less room. Neighbours become the longest of them, but never those on two sides of a
 * percentile, of their own or of the whole that they are a part of. So their percentiles stay as they are, and as many as before took
 * longer than each of the whole's.
 */
public final class Coarsening {

    /** Widths of buckets that become one: of a power of two 4 are left, so a hit moves up by 25 % at most. */
    private static final int TOGETHER = 256;

    private final Set<Long> percentiles;

    private Coarsening(Set<Long> percentiles) {
        this.percentiles = percentiles;
    }

    /** Of a part of that whole, such as a second of its step. */
    public static Coarsening inside(Latencies whole) {
        return new Coarsening(percentiles(whole));
    }

    public Latencies of(Latencies fine) {
        Set<Long> bounds = percentiles(fine);
        bounds.addAll(percentiles);
        Map<Cell, Together> cells = new LinkedHashMap<>();
        for (HistogramIterationValue value : fine.recorded()) {
            long nanos = value.getValueIteratedTo();
            cells.merge(cell(nanos, bounds), new Together(nanos, value.getCountAtValueIteratedTo()), Together::and);
        }
        Map<Long, Long> coarse = new LinkedHashMap<>();
        cells.values().forEach(cell -> coarse.put(cell.nanos(), cell.hits()));
        return Latencies.of(coarse);
    }

    private static Cell cell(long nanos, Set<Long> bounds) {
        long width = Latencies.resolution(nanos) * TOGETHER;
        long below = bounds.stream().filter(bound -> bound < nanos).count();
        return new Cell(width, nanos / width, below);
    }

    private static Set<Long> percentiles(Latencies latencies) {
        Set<Long> all = new HashSet<>();
        for (Quantile quantile : Quantile.values()) {
            latencies.at(quantile).ifPresent(all::add);
        }
        return all;
    }

    /** @param bounds that lie below it */
    private record Cell(long width, long place, long bounds) {}

    /** @param nanos of the longest of the hits */
    private record Together(long nanos, long hits) {
        Together and(Together longer) {
            return new Together(longer.nanos, hits + longer.hits);
        }
    }
}
