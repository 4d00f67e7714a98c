package dev.loomboard.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class InstrumentTest {

    private static final String CONSTANT = "io@1?delayMs=100;constant:rate=300,seconds=12";
    private static final String SEARCH = "io@1?delayMs=100;search:start=100,maxRate=2000,seconds=10,discardSeconds=2,"
            + "precision=0.03,confirmations=3,confirmSeconds=20,maxSteps=40,curveSteps=0,quantile=0.99,responseMs=250,"
            + "success=0.999,achieved=0.99";

    @Test
    void time_is_told_to_a_bucket_of_its_histogram() {
        assertThat(Instrument.resolution("response_excess_p50_ms", 0.7, CONSTANT))
                .isEqualTo(0.000512);
        assertThat(Instrument.resolution("response_p99_ms", 100.7, CONSTANT)).isEqualTo(0.065536);
    }

    @Test
    void rate_that_was_searched_for_is_told_to_a_step() {
        assertThat(Instrument.resolution("max_rate_per_s", 1000, SEARCH)).isCloseTo(30, within(1e-9));
        assertThat(Instrument.resolution("critical_rate_per_s", 500, SEARCH)).isCloseTo(15, within(1e-9));
        assertThat(Instrument.resolution("max_rate_per_s", 1000, CONSTANT)).isNull();
    }

    @Test
    void memory_is_told_to_a_page_and_of_cpu_time_no_step_is_known() {
        assertThat(Instrument.resolution("rss_mib", 261, CONSTANT)).isEqualTo(4.0 / 1024);
        assertThat(Instrument.resolution("cpu_us_per_request", 1500, CONSTANT)).isNull();
    }
}
