package dev.loomboard.stats.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CoarseningTest {

    private static final int SECONDS = 8;
    private static final int HITS = 2500;

    private final Random random = new Random(20261130);
    private final long[][] seconds = new long[SECONDS][HITS];
    private final Latencies whole;

    CoarseningTest() {
        for (long[] second : seconds) {
            Arrays.setAll(second, _ -> (long) (300_000 * StrictMath.exp(0.4 * random.nextGaussian())));
        }
        whole = Latencies.of(
                Arrays.stream(seconds).flatMapToLong(Arrays::stream).toArray(), 1);
    }

    @Test
    void as_many_hits_of_a_second_lie_beyond_each_percentile_of_the_step() {
        Coarsening coarsening = Coarsening.inside(whole);
        for (long[] second : seconds) {
            Latencies fine = Latencies.of(second, 1);
            Latencies coarse = coarsening.of(fine);
            assertThat(coarse.count()).isEqualTo(HITS);
            for (Quantile quantile : Quantile.values()) {
                long bound = whole.at(quantile).orElseThrow();
                assertThat(coarse.beyond(bound)).as(quantile.words()).isEqualTo(fine.beyond(bound));
            }
        }
    }

    @Test
    void its_own_percentiles_stay_and_between_them_a_hit_moves_up_by_a_quarter_at_most() {
        Latencies fine = Latencies.of(seconds[0], 1);
        Latencies coarse = Coarsening.inside(whole).of(fine);
        for (Quantile quantile : Quantile.values()) {
            assertThat(coarse.at(quantile)).as(quantile.words()).isEqualTo(fine.at(quantile));
        }
        assertThat(coarse.max()).isEqualTo(fine.max());
        for (double quantile = 0.01; quantile <= 1; quantile += 0.01) {
            double ratio = (double) coarse.valueAt(quantile) / fine.valueAt(quantile);
            assertThat(ratio).isBetween(1.0, 1.25);
        }
    }

    @Test
    void it_takes_a_sixth_of_the_room_at_most() {
        Latencies fine = Latencies.of(seconds[0], 1);
        assertThat(Coarsening.inside(whole).of(fine).encode().length).isLessThan(fine.encode().length / 6);
    }

    @Test
    void what_is_coarse_stays_as_it_is() {
        Coarsening coarsening = Coarsening.inside(whole);
        Latencies coarse = coarsening.of(Latencies.of(seconds[0], 1));
        assertThat(coarsening.of(coarse).encode()).isEqualTo(coarse.encode());
    }

    @Test
    void longest_and_no_hits() {
        Coarsening coarsening = Coarsening.inside(whole);
        assertThat(coarsening.of(Latencies.none()).isEmpty()).isTrue();
        assertThat(coarsening
                        .of(Latencies.of(new long[] {1, Latencies.HIGHEST}, 1))
                        .beyond(1))
                .isOne();
    }
}
