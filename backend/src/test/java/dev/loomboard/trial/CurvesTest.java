package dev.loomboard.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.catalog.Metrics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** From thinned samples to what a chart draws, without a database. */
final class CurvesTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void samples_become_rates_and_keep_their_gaps() {
        @Nullable Double[] read = {1.0, 2.0, 6.0, null, 7.0};
        ThinnedSamples counter =
                new ThinnedSamples(1, new long[] {0, SECOND, 3 * SECOND, 4 * SECOND, 5 * SECOND}, read, read);
        SampleSeries rates = Curves.samples(Metrics.all().get("jvm.gc_count"), counter);
        assertThat(rates.rate()).isTrue();
        assertThat(rates.values()).containsExactly(null, 1.0, 2.0, null, null);
        SampleSeries gauge = Curves.samples(Metrics.all().get("proc.rss_bytes"), counter);
        assertThat(gauge.values()).containsExactly(1.0, 2.0, 6.0, null, 7.0);
        assertThat(gauge.merged()).isEqualTo(1);
    }

    @Test
    void thinned_counter_has_its_mean_rate_and_a_gauge_its_highest() {
        ThinnedSamples column = new ThinnedSamples(
                10,
                new long[] {9 * SECOND, 19 * SECOND, 20 * SECOND},
                new @Nullable Double[] {5.0, 25.0, 24.0},
                new @Nullable Double[] {99.0, 25.0, 24.0});
        assertThat(Curves.samples(Metrics.all().get("jvm.gc_count"), column).values())
                .containsExactly(null, 2.0, null); // it was reset
        assertThat(Curves.samples(Metrics.all().get("proc.rss_bytes"), column).values())
                .containsExactly(99.0, 25.0, 24.0);
    }
}
