package dev.loomboard.stats.latency;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * Latencies in ns: an HDR histogram of 1 ns to 5 min with three significant digits. Merging is exact, averaging
 * percentiles is not possible here.
 */
public final class Latencies {

    /** 5 min in ns: what the wire's histograms reach to. */
    public static final long HIGHEST = 300_000_000_000L;

    private static final int DIGITS = 3;
    /** Values of this many bits are kept whole: the least that three digits need. */
    private static final int WHOLE_BITS = 11;

    private static final int COMPRESSED_COOKIE = 0x1c849314; // V2, compressed, one byte per word
    private static final int OUTER_HEADER = 8;
    private static final int INNER_HEADER = 40;
    private static final int DIGITS_AT = 12;
    private static final int HIGHEST_AT = 24;

    private final Histogram histogram;

    private Latencies(Histogram histogram) {
        this.histogram = histogram;
    }

    /**
     * @param quantile between 0 and 1
     * @param nanos the value at it
     */
    public record CurvePoint(double quantile, long nanos) {}

    public static Latencies none() {
        return new Latencies(new Histogram(1, HIGHEST, DIGITS));
    }

    /** Each value in ns as often as it says. */
    static Latencies of(Map<Long, Long> hits) {
        Histogram all = new Histogram(1, HIGHEST, DIGITS);
        hits.forEach((nanos, count) -> all.recordValueWithCount(StrictMath.min(HIGHEST, nanos), count));
        return new Latencies(all);
    }

    /** For tests and tools: each of these times in ns so often. */
    public static Latencies of(long[] nanos, long times) {
        Histogram all = new Histogram(1, HIGHEST, DIGITS);
        for (long value : nanos) {
            all.recordValueWithCount(value, times);
        }
        return new Latencies(all);
    }

    /** The V2 compressed encoding. What is not exactly that, or of another range, is refused before memory is taken for it. */
    public static Latencies decode(byte[] encoded) {
        checkHeader(encoded);
        try {
            Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), HIGHEST);
            return new Latencies(histogram);
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("histogram cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * All hits: those that were answered or waited until their deadline, and the others that failed, which count at their
     * deadline too. A quick failure is no speed.
     *
     * @param failed null: there were none of them
     * @param deadlineNanos of a hit
     */
    public static Latencies ofAll(byte[] answered, byte @Nullable [] failed, long deadlineNanos) {
        Latencies all = decode(answered);
        if (failed != null) {
            for (HistogramIterationValue quick : decode(failed).histogram.recordedValues()) {
                long nanos = StrictMath.max(quick.getValueIteratedTo(), deadlineNanos);
                all.histogram.recordValueWithCount(StrictMath.min(HIGHEST, nanos), quick.getCountAtValueIteratedTo());
            }
        }
        return all;
    }

    /** Both together; neither is changed. */
    public Latencies plus(Latencies other) {
        Histogram sum = histogram.copy();
        sum.add(other.histogram);
        return new Latencies(sum);
    }

    /** How many took at least so long, in ns, to the histogram's resolution. */
    public long from(long nanos) {
        return histogram.getCountBetweenValues(nanos, histogram.getHighestTrackableValue());
    }

    /** How far two values in ns must lie apart at least to differ here: the width of a bucket, of which each power of two has 1024. */
    public static long resolution(long nanos) {
        return 1L << StrictMath.max(0, Long.SIZE - Long.numberOfLeadingZeros(nanos) - WHOLE_BITS);
    }

    /** For tests and tools: {@code count} times the value in ns. */
    public Latencies with(long nanos, long count) {
        Histogram more = histogram.copy();
        more.recordValueWithCount(nanos, count);
        return new Latencies(more);
    }

    public byte[] encode() {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        byte[] encoded = new byte[length];
        buffer.flip().get(encoded);
        return encoded;
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /** Values that were recorded, ascending; an iteration gives one object again and again. */
    Iterable<HistogramIterationValue> recorded() {
        return histogram.recordedValues();
    }

    public boolean isEmpty() {
        return count() == 0;
    }

    /** In ns, the highest value that counts as equal to it; the rank is rounded up. Empty without hits. */
    public Optional<Long> at(Quantile quantile) {
        return isEmpty() ? Optional.empty() : Optional.of(histogram.getValueAtPercentile(quantile.percent()));
    }

    /** Mean in ns; empty without hits. */
    public Optional<Double> mean() {
        return isEmpty() ? Optional.empty() : Optional.of(histogram.getMean());
    }

    /** Maximum in ns; empty without hits. */
    public Optional<Long> max() {
        return isEmpty() ? Optional.empty() : Optional.of(histogram.getMaxValue());
    }

    /** How many took longer than {@code nanos}, by a bucket at least. */
    public long beyond(long nanos) {
        long bucket = histogram.highestEquivalentValue(nanos);
        return isEmpty() || histogram.getMaxValue() <= bucket
                ? 0
                : histogram.getCountBetweenValues(bucket + 1, histogram.getMaxValue());
    }

    /** About sixty quantiles from 0.01 to 1, denser outwards, as far as single hits; empty without hits. */
    public List<CurvePoint> curve() {
        List<CurvePoint> points = new ArrayList<>();
        if (isEmpty()) {
            return points;
        }
        for (double quantile : CURVE) {
            if ((1 - quantile) * count() < 1) {
                break;
            }
            points.add(new CurvePoint(quantile, valueAt(quantile)));
        }
        points.add(new CurvePoint(1, histogram.getMaxValue()));
        return points;
    }

    /** In ns at a quantile between 0 and 1; zero without hits, so ask {@link #isEmpty} first. */
    public long valueAt(double quantile) {
        return histogram.getValueAtPercentile(quantile * 100);
    }

    /** Six to the median, then four per halving of what remains, to 0.99994. */
    private static final double[] CURVE = quantiles();

    private static double[] quantiles() {
        List<Double> all = new ArrayList<>(List.of(0.01, 0.05, 0.1, 0.2, 0.3, 0.4));
        for (int i = 0; i <= 52; i++) {
            all.add(1 - 0.5 * StrictMath.pow(2, -i / 4.0));
        }
        return all.stream().mapToDouble(d -> d).toArray();
    }

    private static void checkHeader(byte[] encoded) {
        ByteBuffer outer = ByteBuffer.wrap(encoded);
        if (encoded.length <= OUTER_HEADER || outer.getInt() != COMPRESSED_COOKIE) {
            throw new IllegalArgumentException("histogram must be in HDR V2 compressed encoding");
        }
        int length = outer.getInt();
        if (length <= 0 || length > outer.remaining()) {
            throw new IllegalArgumentException(
                    "histogram is cut off: " + length + " bytes stated, " + outer.remaining() + " there");
        }
        ByteBuffer inner = ByteBuffer.wrap(inflated(encoded, length));
        int digits = inner.getInt(DIGITS_AT);
        long highest = inner.getLong(HIGHEST_AT);
        if (digits != DIGITS || highest > HIGHEST || highest < 2) {
            throw new IllegalArgumentException("histogram must have " + DIGITS + " digits and reach to at most "
                    + HIGHEST + " ns, has " + digits + " and " + highest);
        }
    }

    private static byte[] inflated(byte[] encoded, int length) {
        byte[] header = new byte[INNER_HEADER];
        try (Inflater inflater = new Inflater()) {
            inflater.setInput(encoded, OUTER_HEADER, length);
            int read = 0;
            while (read < INNER_HEADER) {
                int more = inflater.inflate(header, read, INNER_HEADER - read);
                if (more == 0) {
                    throw new IllegalArgumentException("histogram is shorter than its header");
                }
                read += more;
            }
            return header;
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("histogram is not compressed as stated: " + e.getMessage(), e);
        }
    }
}
