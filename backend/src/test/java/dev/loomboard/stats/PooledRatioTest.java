package dev.loomboard.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PooledRatioTest {

    /** t of 2 degrees of freedom leaves 2.5 % above 4.302653, of 1 above 12.706205, of 12 above 2.178813. */
    private static final double T2 = 4.302653;

    private static final double T1 = 12.706205;
    private static final double T12 = 2.178813;

    /**
     * By hand, of equal errors: effects of 1, 6 and 2 % have mean 3 % and variance 7 (%²); errors of 1 % explain 1, so the variance
     * between runs is 6, the error √(7 ÷ 3) %.
     */
    @Test
    void runs_of_equal_errors_have_the_interval_of_their_effects() {
        PooledRatio pooled = PooledRatio.of(new double[] {0.01, 0.06, 0.02}, new double[] {0.0001, 0.0001, 0.0001});
        assertThat(Math.log(pooled.ratio())).isCloseTo(0.03, within(1e-12));
        assertThat(pooled.spread()).isCloseTo(0.01 * Math.sqrt(6), within(1e-10));
        assertThat(Math.log(pooled.high() / pooled.ratio())).isCloseTo(T2 * 0.01 * Math.sqrt(7.0 / 3), within(1e-7));
        assertThat(pooled.low() * pooled.high()).isCloseTo(pooled.ratio() * pooled.ratio(), within(1e-12));
    }

    /** By hand: of two runs the variance between them is ((6 − 1)² − 1² − 2²) ÷ 2 = 10 (%²), the weights 1/11 and 1/14. */
    @Test
    void two_runs_of_other_errors_are_weighted() {
        PooledRatio pooled = PooledRatio.of(new double[] {0.01, 0.06}, new double[] {0.0001, 0.0004});
        assertThat(pooled.spread()).isCloseTo(0.01 * Math.sqrt(10), within(1e-9));
        assertThat(Math.log(pooled.ratio()))
                .isCloseTo(0.01 * (1.0 / 11 + 6.0 / 14) / (1.0 / 11 + 1.0 / 14), within(1e-9));
        assertThat(Math.log(pooled.high() / pooled.ratio()))
                .isCloseTo(T1 * 0.01 / Math.sqrt(1.0 / 11 + 1.0 / 14), within(1e-6));
    }

    /** Runs that are closer to each other than their errors are by chance so: the interval stays that of the errors. */
    @Test
    void runs_that_agree_by_chance_do_not_narrow_the_interval() {
        PooledRatio pooled = PooledRatio.of(new double[] {0.02, 0.02, 0.02}, new double[] {0.0001, 0.0001, 0.0001});
        assertThat(pooled.spread()).isZero();
        assertThat(Math.log(pooled.high() / pooled.ratio())).isCloseTo(T2 * 0.01 / Math.sqrt(3), within(1e-7));
    }

    /**
     * Log risk ratios of the thirteen BCG trials (Colditz et al., JAMA 1994) with their variances, to four digits. A published
     * validation has 0.3180 for Paule and Mandel's variance of them; mean and error follow from it.
     */
    @Test
    void variance_between_the_trials_of_bcg_is_as_published() {
        double[] effects = {
            -0.8893, -1.5854, -1.3481, -1.4416, -0.2175, -0.7861, -1.6209, 0.0120, -0.4694, -1.3713, -0.3394, 0.4459,
            -0.0173
        };
        double[] variances = {
            0.3256, 0.1946, 0.4154, 0.0200, 0.0512, 0.0069, 0.2230, 0.0040, 0.0564, 0.0730, 0.0124, 0.5325, 0.0714
        };
        PooledRatio pooled = PooledRatio.of(effects, variances);
        assertThat(pooled.spread() * pooled.spread()).isCloseTo(0.318, within(0.0005));
        assertThat(Math.log(pooled.ratio())).isCloseTo(-0.715, within(0.001));
        assertThat(Math.log(pooled.high() / pooled.ratio()) / T12).isCloseTo(0.181, within(0.001));
    }

    /** Errors of 1 % of 4 blocks and of 2 % of 9: a block's variance is (3·4 + 8·36) ÷ 11 = 300/11 (%²) in both. */
    @Test
    void one_variance_of_a_block_is_taken_from_all_runs() {
        PooledRatio pooled =
                PooledRatio.of(List.of(run(0.01, 0.01, 4), run(0.06, 0.02, 9))).orElseThrow();
        double variance = 300.0 / 11 * 1e-4;
        PooledRatio same = PooledRatio.of(new double[] {0.01, 0.06}, new double[] {variance / 4, variance / 9});
        assertThat(pooled.ratio()).isCloseTo(same.ratio(), within(1e-12));
        assertThat(pooled.high()).isCloseTo(same.high(), within(1e-9));
    }

    @Test
    void one_run_or_none_that_varies_is_not_pooled() {
        assertThat(PooledRatio.of(List.of(run(0.01, 0.01, 4)))).isEmpty();
        assertThat(PooledRatio.of(List.of(run(0.01, 0, 4), run(0.02, 0, 4)))).isEmpty();
    }

    /** Two to ten runs of 3, 5, or in turn 5 and 20 blocks, that differ by 0, 1 and 3 %, on alike and on unlike nights. */
    @Test
    void interval_covers_the_truth_in_95_of_100_cases_or_more() {
        Random random = new Random(17);
        for (int runs : List.of(2, 3, 5, 10)) {
            for (double between : List.of(0.0, 0.01, 0.03)) {
                for (List<Integer> blocks : List.of(List.of(3, 3), List.of(5, 5), List.of(5, 20))) {
                    for (List<Double> spreads : List.of(List.of(0.035, 0.035), List.of(0.06, 0.02))) {
                        assertThat(coverage(random, runs, between, blocks, spreads))
                                .as("%d runs, %s between, blocks %s, spreads %s", runs, between, blocks, spreads)
                                .isGreaterThan(0.935);
                    }
                }
            }
        }
    }

    private static double coverage(
            Random random, int runs, double between, List<Integer> blocks, List<Double> spreads) {
        int rounds = 1500;
        int covered = 0;
        for (int i = 0; i < rounds; i++) {
            List<PooledRatio.Run> all = new ArrayList<>();
            for (int run = 0; run < runs; run++) {
                all.add(drawn(random, between * random.nextGaussian(), blocks.get(run % 2), spreads.get(run % 2)));
            }
            PooledRatio pooled = PooledRatio.of(all).orElseThrow();
            covered += pooled.low() <= 1 && 1 <= pooled.high() ? 1 : 0;
        }
        return covered / (double) rounds;
    }

    private static PooledRatio.Run drawn(Random random, double effect, int blocks, double spread) {
        List<Double> differences = IntStream.range(0, blocks)
                .mapToObj(block -> effect + spread * random.nextGaussian())
                .toList();
        Moments moments = Moments.of(differences, Scale.IDENTITY);
        return run(moments.mean(), Math.sqrt(moments.variance() / blocks), blocks);
    }

    private static PooledRatio.Run run(double effect, double error, int blocks) {
        return new PooledRatio.Run(new RatioMean.Cell(StrictMath.exp(effect), error, blocks - 1.0), blocks);
    }
}
