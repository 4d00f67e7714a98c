package dev.loomboard.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SpreadIntervalTest {

    /** χ² of 9 degrees of freedom: 2.700389 and 19.022768 leave 2.5 % on either side (NIST/SEMATECH, table 1.3.6.7.4). */
    @Test
    void interval_of_ten_values_is_that_of_the_table() {
        List<Double> logs = List.of(-4.0, -3.0, -2.0, -1.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0); // variance 60 ÷ 9
        double sd = 0.01 * Math.sqrt(60.0 / 9);
        SpreadInterval found = SpreadInterval.ofShares(
                        logs.stream().map(v -> 5 * Math.exp(0.01 * v)).toList())
                .orElseThrow();
        assertThat(found.value()).isCloseTo(sd, within(1e-4 * sd + sd * sd * sd));
        assertThat(found.low() / found.value()).isCloseTo(Math.sqrt(9 / 19.022768), within(1e-3));
        assertThat(found.high() / found.value()).isCloseTo(Math.sqrt(9 / 2.700389), within(1e-3));
    }

    /** Quantiles of χ² with four degrees of freedom from tables: 0.48442 and 11.14329. */
    @Test
    void spread_of_five_blocks_is_known_to_a_factor_of_three() {
        SpreadInterval of = SpreadInterval.of(0.03, 4);
        assertThat(of.low()).isCloseTo(0.03 * Math.sqrt(4 / 11.14329), within(1e-7));
        assertThat(of.high()).isCloseTo(0.03 * Math.sqrt(4 / 0.48442), within(1e-6));
    }

    @Test
    void interval_covers_the_spread_as_often_as_it_says() {
        Random random = new Random(5);
        int covered = 0;
        for (int i = 0; i < 4000; i++) {
            List<Double> values = IntStream.range(0, 10)
                    .mapToObj(k -> StrictMath.exp(0.03 * random.nextGaussian()))
                    .toList();
            SpreadInterval found = SpreadInterval.ofShares(values).orElseThrow();
            double truth = StrictMath.sqrt(StrictMath.expm1(0.03 * 0.03));
            covered += found.low() <= truth && truth <= found.high() ? 1 : 0;
        }
        assertThat(covered / 4000.0).isBetween(0.94, 0.96);
    }

    @Test
    void too_few_values_or_none_that_is_positive_have_no_interval() {
        assertThat(SpreadInterval.ofShares(List.of(1.0, 2.0))).isEmpty();
        assertThat(SpreadInterval.ofShares(List.of(1.0, 2.0, 0.0))).isEmpty();
    }
}
