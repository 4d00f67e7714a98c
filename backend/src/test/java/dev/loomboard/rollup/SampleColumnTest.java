package dev.loomboard.rollup;

import static dev.loomboard.rollup.EndedTrials.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

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
}
