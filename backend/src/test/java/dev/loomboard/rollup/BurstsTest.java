package dev.loomboard.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.stats.latency.Latencies;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The same hits, in a row and scattered. */
class BurstsTest {

    private static final int SECONDS = 20;
    private static final int SLOW = 1800;

    @Test
    void burst_of_four_seconds_is_few_observations() {
        StepPercentiles.Value p90 = p90(second -> second < 4);
        assertThat(p90.eligible()).isFalse();
        assertThat(p90.reason()).startsWith("the hits beyond p90 come in bursts and are worth ");
    }

    @Test
    void step_of_six_seconds_may_be_judged_where_hits_come_evenly() {
        EndedTrial.Hits even = second(80);
        assertThat(p90(IntStream.range(0, 6).mapToObj(i -> even).toList()).eligible())
                .isTrue();
        assertThat(p90(IntStream.range(0, 5).mapToObj(i -> even).toList()).reason())
                .isEqualTo("5 seconds had hits, 6 are needed to see whether those beyond p90 come in bursts");
    }

    @Test
    void every_other_second_is_many_observations() {
        assertThat(p90(second -> second % 2 == 0).eligible()).isTrue();
    }

    /** All slow hits in these seconds. */
    private static StepPercentiles.Value p90(IntPredicate slow) {
        int each = SLOW / (int) IntStream.range(0, SECONDS).filter(slow).count();
        return p90(IntStream.range(0, SECONDS)
                .mapToObj(i -> second(slow.test(i) ? each : 0))
                .toList());
    }

    private static StepPercentiles.Value p90(List<EndedTrial.Hits> seconds) {
        Latencies whole = seconds.stream()
                .map(second -> second.services(EndedTrials.SECOND))
                .reduce(Latencies.none(), Latencies::plus);
        EndedTrial.Step step = EndedTrials.with(EndedTrials.step(0, "valid", 0), 1L, hits(whole));
        return Objects.requireNonNull(
                StepNumbers.of(step, seconds, 0).percentiles().service().get("p90"));
    }

    private static EndedTrial.Hits second(int slow) {
        return hits(Latencies.none().with(10 * EndedTrials.MS, 1000 - slow).with(80 * EndedTrials.MS, slow));
    }

    private static EndedTrial.Hits hits(Latencies all) {
        return new EndedTrial.Hits(all.encode(), null, all.encode(), null, null, 0);
    }
}
