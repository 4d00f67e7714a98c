package dev.loomboard.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The agent's histograms decode to the values it stated; whatever else calls itself one is refused. */
public final class EncodedHistogramTest {

    private static final long FIVE_MINUTES = 300_000_000_000L;

    @TestFactory
    Stream<DynamicTest> agents_histogram_decodes_to_its_stated_values() {
        JsonNode fixture = JsonMapper.shared().readTree(Path.of("api/examples/hdr-v2.json"));
        assertThat(fixture.get("cases").size()).isGreaterThan(5);
        return fixture.get("cases")
                .valueStream()
                .map(c -> DynamicTest.dynamicTest(c.get("name").asString(), () -> meet(c)));
    }

    private static void meet(JsonNode given) {
        Histogram histogram = new EncodedHistogram(given.get("encoded").asString()).histogram();
        Histogram stated = new Histogram(1, FIVE_MINUTES, 3);
        for (JsonNode value : given.get("values")) {
            stated.recordValueWithCount(
                    value.get("value").asLong(), value.get("count").asLong());
        }
        assertThat(histogram).isEqualTo(stated);
        JsonNode summary = given.get("summary");
        if (summary.isNull()) {
            assertThat(histogram.getTotalCount()).isZero();
            return;
        }
        assertThat(histogram.getTotalCount()).isEqualTo(summary.get("count").asLong());
        assertThat(histogram.getMinValue()).isEqualTo(summary.get("min").asLong());
        assertThat(histogram.getMaxValue()).isEqualTo(summary.get("max").asLong());
        double mean = summary.get("mean").asDouble();
        assertThat(histogram.getMean()).isCloseTo(mean, within(Math.abs(mean) * 1e-12));
        assertThat(histogram.getValueAtPercentile(50))
                .isEqualTo(summary.get("p50").asLong());
        assertThat(histogram.getValueAtPercentile(90))
                .isEqualTo(summary.get("p90").asLong());
        assertThat(histogram.getValueAtPercentile(95))
                .isEqualTo(summary.get("p95").asLong());
        assertThat(histogram.getValueAtPercentile(99))
                .isEqualTo(summary.get("p99").asLong());
        assertThat(histogram.getValueAtPercentile(99.9))
                .isEqualTo(summary.get("p999").asLong());
    }

    @Test
    void text_that_is_no_base64_is_refused() {
        refused("HIST!", "base64");
        refused("", "begin");
        refused("QUJDREVGR0hJSktM", "begin");
    }

    @Test
    void another_encoding_is_refused() {
        Histogram histogram = new Histogram(1, FIVE_MINUTES, 3);
        ByteBuffer plain = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoByteBuffer(plain);
        refused(base64(Arrays.copyOf(plain.array(), length)), "begin");
    }

    @Test
    void more_digits_or_a_wider_range_are_refused_before_room_is_made_for_them() {
        refused(encoded(new Histogram(1, FIVE_MINUTES, 4)), "3 significant digits, has 4");
        refused(encoded(new Histogram(1, FIVE_MINUTES + 1, 3)), "range");
        refused(encoded(new Histogram(1000, FIVE_MINUTES, 3)), "range");
        refused(packed(header(1, Long.MAX_VALUE, 3, new byte[0])), "range");
        refused(packed(header(1, FIVE_MINUTES, 5, new byte[0])), "digits");
    }

    @Test
    void narrower_range_is_accepted_and_merges() {
        Histogram narrow = new Histogram(1, 1000, 3);
        narrow.recordValue(500);
        Histogram wide = new Histogram(1, FIVE_MINUTES, 3);
        wide.recordValue(FIVE_MINUTES);
        Histogram all = EncodedHistogram.failuresLast(
                new EncodedHistogram(encoded(wide)), new EncodedHistogram(encoded(narrow)));
        assertThat(all.getTotalCount()).isEqualTo(2);
        assertThat(all.getMinValue()).isEqualTo(wide.getMinNonZeroValue()); // the failure of 500 ns is last
    }

    @Test
    void value_above_five_minutes_is_refused() {
        Histogram wider = new Histogram(1, 2 * FIVE_MINUTES, 3);
        wider.recordValue(FIVE_MINUTES + 10_000_000_000L);
        byte[] unpacked = plain(wider);
        ByteBuffer.wrap(unpacked).putLong(24, FIVE_MINUTES); // says less than it holds
        refused(packed(unpacked), "");
    }

    @Test
    void bomb_is_cut_off() {
        refused(packed(new byte[50_000_000]), "unpacks to more");
    }

    @Test
    void truncated_or_continued_content_is_refused() {
        byte[] whole = Base64.getDecoder().decode(encoded(new Histogram(1, FIVE_MINUTES, 3)));
        byte[] shorter = Arrays.copyOf(whole, whole.length - 6);
        refused(base64(shorter), "length");
        ByteBuffer.wrap(shorter).putInt(4, shorter.length - 8);
        refused(base64(shorter), "cut off");
        byte[] longer = Arrays.copyOf(whole, whole.length + 3);
        ByteBuffer.wrap(longer).putInt(4, longer.length - 8);
        refused(base64(longer), "followed by more");
        byte[] damaged = whole.clone();
        damaged[12] ^= 0x55;
        refused(base64(damaged), "");
    }

    @Test
    void counts_that_do_not_fit_are_refused() {
        // One run of zeros past the end (zig-zag of −1,000,000), then a count.
        refused(packed(header(1, FIVE_MINUTES, 3, zigZag(-1_000_000, 1))), "do not fit");
        refused(packed(header(1, FIVE_MINUTES, 3, zigZag(Long.MAX_VALUE))), "more hits");
        refused(packed(header(1, FIVE_MINUTES, 3, zigZag(600_000_000_000L, 600_000_000_000L))), "more hits");
        refused(packed(header(1, FIVE_MINUTES, 3, zigZag(Long.MAX_VALUE, Long.MAX_VALUE, 5))), "");
    }

    /** What the library would read is the measure: the walk over the encoded counts must come to the same. */
    @Test
    void counts_are_walked_as_the_library_reads_them() {
        Random random = new Random(20261124);
        long[] ranges = {2, 1000, 2047, 2048, 5_000_000, (1L << 38) - 1, 1L << 38, FIVE_MINUTES};
        int sound = 0;
        for (int i = 0; i < 5_000; i++) {
            long highest = ranges[random.nextInt(ranges.length)];
            byte[] counts = zigZag(random.longs(random.nextInt(6), 0, 8)
                    .map(kind -> count(kind, highest, random))
                    .toArray());
            byte[] unpacked = header(1, highest, 3, counts);
            OptionalLong hits = asTheLibraryReads(unpacked);
            String text = packed(unpacked);
            if (hits.isEmpty()) {
                refused(text, "");
            } else {
                sound++;
                EncodedHistogram histogram = new EncodedHistogram(text);
                assertThat(histogram.hits()).isEqualTo(hits.getAsLong());
                assertThat(histogram.histogram().getTotalCount()).isEqualTo(hits.getAsLong());
            }
        }
        assertThat(sound).isBetween(1_000, 4_000); // both sides are tried
    }

    private static long count(long kind, long highest, Random random) {
        Histogram histogram = new Histogram(1, highest, 3);
        int buckets = (histogram.getNeededByteBufferCapacity() - 40) / 9; // each at most nine bytes, after the header
        return switch ((int) kind) {
            case 0 -> random.nextLong();
            case 1 -> 999_999_999_999L + random.nextInt(3);
            case 2 -> -random.nextInt(2 * buckets);
            case 3 -> 3 - buckets + random.nextInt(9);
            case 4 -> -29_788 + random.nextInt(3);
            default -> random.nextInt(1_000);
        };
    }

    private static OptionalLong asTheLibraryReads(byte[] unpacked) {
        try {
            Histogram histogram = Histogram.decodeFromByteBuffer(ByteBuffer.wrap(unpacked), 1);
            long highest = histogram.getMaxValue();
            long hits = 0;
            for (long value = 0; value <= highest; value = histogram.nextNonEquivalentValue(value)) {
                long count = histogram.getCountAtValue(value);
                if (count < 0 || count > 1_000_000_000_000L - hits) {
                    return OptionalLong.empty();
                }
                hits += count;
            }
            return highest > histogram.highestEquivalentValue(FIVE_MINUTES)
                    ? OptionalLong.empty()
                    : OptionalLong.of(hits);
        } catch (RuntimeException e) {
            return OptionalLong.empty();
        }
    }

    private static void refused(String text, String why) {
        assertThatThrownBy(() -> new EncodedHistogram(text))
                .isInstanceOf(EncodedHistogram.Refusal.class)
                .hasMessageContaining("is not an HDR histogram in V2 compressed encoding")
                .hasMessageContaining(why);
    }

    // ---- encodings, right and wrong

    public static String encoded(Histogram histogram) {
        ByteBuffer out = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity() + 100);
        int length = histogram.encodeIntoCompressedByteBuffer(out);
        return base64(Arrays.copyOf(out.array(), length));
    }

    private static byte[] plain(Histogram histogram) {
        ByteBuffer out = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        return Arrays.copyOf(out.array(), histogram.encodeIntoByteBuffer(out));
    }

    private static byte[] header(long lowest, long highest, int digits, byte[] counts) {
        return ByteBuffer.allocate(40 + counts.length)
                .putInt(0x1c849313)
                .putInt(counts.length)
                .putInt(0)
                .putInt(digits)
                .putLong(lowest)
                .putLong(highest)
                .putDouble(1)
                .put(counts)
                .array();
    }

    /** LEB128-64b9B of the zig-zag values, as the format has it: nine bytes at most, the ninth with all its bits. */
    private static byte[] zigZag(long... counts) {
        ByteBuffer out = ByteBuffer.allocate(9 * counts.length);
        for (long count : counts) {
            long rest = (count << 1) ^ (count >> 63);
            int bytes = 1;
            while (bytes < 9 && (rest >>> 7) != 0) {
                out.put((byte) (rest | 0x80));
                rest >>>= 7;
                bytes++;
            }
            out.put((byte) rest);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    private static String packed(byte[] unpacked) {
        Deflater deflater = new Deflater();
        deflater.setInput(unpacked);
        deflater.finish();
        byte[] out = new byte[unpacked.length + 100];
        int length = deflater.deflate(out);
        deflater.end();
        return base64(ByteBuffer.allocate(8 + length)
                .putInt(0x1c849314)
                .putInt(length)
                .put(out, 0, length)
                .array());
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
