package dev.loomboard.stats.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class LatenciesTest {

    @Test
    void decoding_gives_what_the_contracts_fixtures_state() throws IOException {
        JsonNode cases = JsonMapper.shared()
                .readTree(Path.of("api/examples/hdr-v2.json").toFile())
                .path("cases");
        assertThat(cases.size()).isGreaterThan(3);
        for (JsonNode fixture : cases) {
            Latencies read = Latencies.decode(
                    Base64.getDecoder().decode(fixture.path("encoded").asString()));
            JsonNode summary = fixture.path("summary");
            if (summary.isNull()) {
                assertThat(read.isEmpty()).as(fixture.path("name").asString()).isTrue();
                assertThat(read.at(Quantile.P50)).isEmpty();
                continue;
            }
            assertThat(read.count()).isEqualTo(summary.path("count").asLong());
            assertThat(read.max()).hasValue(summary.path("max").asLong());
            assertThat(read.mean())
                    .hasValueSatisfying(mean ->
                            assertThat(mean).isCloseTo(summary.path("mean").asDouble(), withinPercentage(1e-9)));
            for (Quantile quantile : Quantile.values()) {
                assertThat(read.at(quantile))
                        .as(fixture.path("name").asString() + " " + quantile.words())
                        .hasValue(summary.path(quantile.label()).asLong());
            }
        }
    }

    @Property(tries = 100)
    void merging_is_recording_all_in_one(
            @ForAll @Size(max = 30) List<@LongRange(min = 0, max = Latencies.HIGHEST) Long> one,
            @ForAll @Size(max = 30) List<@LongRange(min = 0, max = Latencies.HIGHEST) Long> other) {
        List<Long> both = new ArrayList<>(one);
        both.addAll(other);
        Latencies merged = of(one).plus(of(other));
        assertThat(merged.count()).isEqualTo(both.size());
        assertThat(merged.encode()).isEqualTo(of(both).encode());
    }

    @Test
    void failed_hit_counts_at_its_deadline_however_soon_it_failed() {
        long deadline = 30_000_000_000L;
        byte[] quick = of(List.of(1_000L, 1_000L, 2_000_000L)).encode();
        Latencies all = Latencies.ofAll(of(List.of(20_000_000L, 20_000_000L)).encode(), quick, deadline);
        assertThat(all.count()).isEqualTo(5);
        assertThat(all.from(deadline)).isEqualTo(3);
        assertThat(all.at(Quantile.P50))
                .hasValueSatisfying(nanos -> assertThat(nanos).isGreaterThanOrEqualTo(deadline));
        assertThat(Latencies.ofAll(of(List.of(1L)).encode(), null, deadline).count())
                .isEqualTo(1);
        // One that waited for its turn for longer than the deadline failed then, and not before.
        byte[] late = of(List.of(40_000_000_000L)).encode();
        assertThat(Latencies.ofAll(Latencies.none().encode(), late, deadline).from(39_000_000_000L))
                .isEqualTo(1);
    }

    @Property(tries = 100)
    void hits_beyond_a_percentile_are_no_more_than_its_share(
            @ForAll @Size(min = 1, max = 50) List<@LongRange(min = 0, max = Latencies.HIGHEST) Long> values) {
        Latencies all = of(values);
        for (Quantile quantile : Quantile.values()) {
            long at = all.at(quantile).orElseThrow();
            long beyond = values.stream().filter(value -> value > at).count();
            assertThat(beyond * 1000).isLessThanOrEqualTo(quantile.beyondTimesThousand(all.count()));
        }
    }

    @Test
    void curve_rises_and_ends_at_the_maximum() {
        Latencies all = Latencies.none();
        for (int i = 1; i <= 3600; i++) {
            all = all.with(i * 1_000_000L, 1);
        }
        List<Latencies.CurvePoint> curve = all.curve();
        assertThat(curve).hasSizeBetween(45, 65);
        assertThat(curve).extracting(Latencies.CurvePoint::nanos).isSorted();
        assertThat(curve).extracting(Latencies.CurvePoint::quantile).isSorted().doesNotHaveDuplicates();
        assertThat(curve.getLast().nanos()).isEqualTo(all.max().orElseThrow());
        assertThat(Latencies.none().curve()).isEmpty();
    }

    @Property
    void resolution_is_the_width_of_a_bucket(@ForAll @LongRange(min = 0, max = Latencies.HIGHEST) long nanos) {
        assertThat(Latencies.resolution(nanos))
                .isEqualTo(new Histogram(1, Latencies.HIGHEST, 3).sizeOfEquivalentValueRange(nanos));
    }

    @Property(tries = 200)
    void hits_beyond_a_percentile_are_those_that_took_longer(
            @ForAll @Size(min = 1, max = 5) List<@LongRange(min = 0, max = Latencies.HIGHEST) Long> step,
            @ForAll @Size(max = 4) List<@LongRange(min = 0, max = Latencies.HIGHEST) Long> more) {
        for (Quantile quantile : Quantile.values()) {
            long at = of(step).at(quantile).orElseThrow();
            assertThat(of(more).beyond(at))
                    .isEqualTo(more.stream().filter(value -> value > at).count());
        }
    }

    @Test
    void histogram_of_another_range_is_refused() {
        Histogram wide = new Histogram(1, Long.MAX_VALUE / 2, 3);
        assertThatThrownBy(() -> Latencies.decode(encoded(wide)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must have 3 digits");
        Histogram fine = new Histogram(1, Latencies.HIGHEST, 5);
        assertThatThrownBy(() -> Latencies.decode(encoded(fine))).hasMessageContaining("has 5");
    }

    @Test
    void rubbish_is_refused() {
        byte[] good = Latencies.none().with(5, 5).encode();
        for (byte[] bad : List.of(new byte[0], new byte[100], Arrays.copyOf(good, good.length - 5))) {
            assertThatThrownBy(() -> Latencies.decode(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static Latencies of(List<Long> values) {
        Latencies all = Latencies.none();
        for (long value : values) {
            all = all.with(value, 1);
        }
        return all;
    }

    private static byte[] encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }
}
