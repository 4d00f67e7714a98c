package dev.loomboard.rollup;

import static dev.loomboard.rollup.EndedTrials.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.trial.Curves;
import dev.loomboard.trial.SampleSeries;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Samples over time, without a database. */
final class SampleColumnTest {

    @Test
    void counter_that_fell_has_no_rise() {
        SampleColumn reset = new SampleColumn(new long[] {0, SECOND}, new @Nullable Double[] {5.0, 1.0});
        assertThat(reset.rise(0, SECOND)).isEmpty();
        assertThat(reset.rise(10 * SECOND, 20 * SECOND)).isEmpty(); // no tick is near
        assertThat(reset.max(0, SECOND)).hasValue(5);
    }

    @Test
    void samples_become_rates_and_keep_their_gaps() {
        SampleColumn counter = new SampleColumn(
                new long[] {0, SECOND, 3 * SECOND, 4 * SECOND, 5 * SECOND},
                new @Nullable Double[] {1.0, 2.0, 6.0, null, 7.0});
        SampleSeries rates = Curves.samples(Metrics.all().get("jvm.gc_count"), counter);
        assertThat(rates.rate()).isTrue();
        assertThat(rates.values()).containsExactly(null, 1.0, 2.0, null, null);
        SampleSeries gauge = Curves.samples(Metrics.all().get("proc.rss_bytes"), counter);
        assertThat(gauge.values()).containsExactly(1.0, 2.0, 6.0, null, 7.0);
        assertThat(gauge.merged()).isEqualTo(1);
    }

    @Test
    void long_series_are_thinned_without_hiding_a_peak() {
        int ticks = 6001;
        long[] at = new long[ticks];
        Double[] values = new Double[ticks];
        for (int i = 0; i < ticks; i++) {
            at[i] = i * SECOND;
            values[i] = i == 777 ? 99.0 : 1.0;
        }
        SampleSeries thin = Curves.samples(Metrics.all().get("proc.rss_bytes"), new SampleColumn(at, values));
        assertThat(thin.values()).hasSizeLessThanOrEqualTo(Curves.MOST_POINTS).contains(99.0);
        assertThat(thin.merged()).isEqualTo(11);
        assertThat(thin.seconds().getLast()).isEqualTo(6000);
    }
}
