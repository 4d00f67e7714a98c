package dev.loomboard.stats;

import static dev.loomboard.stats.Values.around;
import static dev.loomboard.stats.Values.noise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.stats.change.Confirmation;
import dev.loomboard.stats.paired.Bimodality;
import dev.loomboard.stats.paired.Power;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Power, ranks, modes, autocorrelation, the confirmation gate. Simulations are seeded, so they cannot fail by chance. */
final class HistoryFormulasTest {

    private static final Margin FIVE_PERCENT = new Margin(Scale.LN, 0.05, 0);

    /** Computed apart from this code, by another integration. */
    @Test
    void power_has_the_known_values() {
        assertThat(twoSided(0.10, 5, 0.01)).isCloseTo(0.91246548258, within(1e-8));
        assertThat(twoSided(0.05, 5, 0.01)).isCloseTo(0.30273196337, within(1e-8));
        assertThat(twoSided(0.05, 10, 0.01)).isCloseTo(0.76466770052, within(1e-8));
        assertThat(twoSided(0.10, 5, 0.01 / 30)).isCloseTo(0.34129684510, within(1e-8));
        assertThat(twoSided(0.05, 10, 0.01 / 30)).isCloseTo(0.28222766822, within(1e-8));
    }

    /** Welch's test has fewer degrees of freedom than the pooled one, so it sees less than the above. */
    @Test
    void welchs_test_sees_what_the_specification_says() {
        assertThat(seen(0.10, 5, 0.01)).isCloseTo(0.89, within(0.02));
        assertThat(seen(0.05, 5, 0.01)).isCloseTo(0.25, within(0.02));
        assertThat(seen(0.10, 10, 0.01)).isCloseTo(1, within(0.01));
        assertThat(seen(0.05, 10, 0.01)).isCloseTo(0.75, within(0.02));
        assertThat(seen(0.10, 5, 0.01 / 30)).isCloseTo(0.25, within(0.02));
        assertThat(seen(0.05, 10, 0.01 / 30)).isCloseTo(0.26, within(0.02));
    }

    private static double seen(double change, int trials, double alpha) {
        Random random = new Random(7);
        int seen = 0;
        int rounds = 4000;
        for (int round = 0; round < rounds; round++) {
            Moments one = Moments.of(noise(random, trials), Scale.IDENTITY);
            double shift = Math.log1p(change) / 0.03;
            Moments other = Moments.of(
                    noise(random, trials).stream().map(z -> z + shift).toList(), Scale.IDENTITY);
            seen += Welch.of(one, other).p() < alpha ? 1 : 0;
        }
        return seen / (double) rounds;
    }

    @Test
    void power_of_no_effect_is_the_level() {
        for (double freedom : new double[] {1, 2, 7, 40}) {
            assertThat(Power.ofVerdict(0, 0, freedom, 0.01)).isCloseTo(0.01, within(1e-5));
        }
    }

    @Test
    void what_is_detectable_is_detected_so_often() {
        double detectable = Power.detectable(0.03 * Math.sqrt(2), 10, 0.01);
        double error = 0.03 * Math.sqrt(2) / Math.sqrt(10);
        assertThat(Power.ofVerdict(detectable / error, 0, 9, 0.01)).isCloseTo(Power.WANTED, within(1e-6));
        assertThat(Power.detectable(0.03 * Math.sqrt(2), 20, 0.01)).isLessThan(detectable);
    }

    @Test
    void two_ways_of_the_compiler_are_two_modes() {
        List<Double> values = List.of(10.0, 12.1, 10.1, 12.0, 9.9, 12.2, 10.05, 10.0);
        Bimodality modes = Bimodality.of(FIVE_PERCENT, values).orElseThrow();
        assertThat(modes.inLower()).isEqualTo(5);
        assertThat(modes.inHigher()).isEqualTo(3);
        assertThat(modes.lower()).isCloseTo(10.01, within(0.01));
        assertThat(modes.p()).isLessThan(0.01);
    }

    @Test
    void one_mode_an_outlier_or_a_rounding_are_not_two() {
        Random random = new Random(3);
        int flagged = 0;
        for (int round = 0; round < 150; round++) {
            List<Double> values =
                    noise(random, 10).stream().map(z -> Math.exp(0.1 * z)).toList();
            flagged += Bimodality.of(FIVE_PERCENT, values).isPresent() ? 1 : 0;
        }
        assertThat(flagged).isLessThanOrEqualTo(5);
        assertThat(Bimodality.of(FIVE_PERCENT, List.of(1.0, 1.01, 1.02, 1.01, 1.0, 1.02, 5.0)))
                .isEmpty();
        assertThat(Bimodality.of(FIVE_PERCENT, List.of(1.001, 1.001, 1.002, 1.002, 1.001, 1.002)))
                .isEmpty();
        assertThat(Bimodality.of(FIVE_PERCENT, List.of(1.0, 1.0, 1.0, 1.0, 1.0, 1.0)))
                .isEmpty();
    }

    @Test
    void autocorrelation_is_found_without_its_bias() {
        Random random = new Random(11);
        for (double r : new double[] {0, 0.5, 0.8}) {
            double sum = 0;
            for (int round = 0; round < 400; round++) {
                sum += Autocorrelation.of(List.of(autoregressive(random, 60, r)));
            }
            // Clamping at 0 and 0.9 moves the mean of estimates near those ends.
            assertThat(sum / 400).as("r = " + r).isCloseTo(r, within(r == 0.5 ? 0.02 : 0.06));
        }
    }

    @Test
    void steps_are_no_autocorrelation_when_levels_are_given() {
        Random random = new Random(2);
        double[] low = autoregressive(random, 100, 0);
        double[] high = autoregressive(random, 100, 0);
        double[] both = new double[200];
        for (int i = 0; i < 100; i++) {
            high[i] += 20;
            both[i] = low[i];
            both[100 + i] = high[i];
        }
        assertThat(Autocorrelation.of(List.of(both))).isEqualTo(Autocorrelation.MOST);
        assertThat(Autocorrelation.of(List.of(low, high))).isLessThan(0.2);
    }

    @Test
    void autocorrelation_of_a_short_history_is_assumed_to_be_the_worst() {
        assertThat(Autocorrelation.of(List.of(new double[29]))).isEqualTo(Autocorrelation.MOST);
        assertThat(Autocorrelation.of(List.of(new double[30]))).isZero();
        assertThat(Autocorrelation.effective(30, 0.5)).isCloseTo(10, within(1e-12));
    }

    @Test
    void a_clear_step_is_confirmed() {
        Confirmation step = Confirmation.of(FIVE_PERCENT, around(10, 0.01, 8), around(11, 0.01, 8), 0.2);
        assertThat(step.reason()).isNull();
        assertThat(step.confirmed()).isTrue();
        assertThat(step.change()).isCloseTo(0.1, within(0.001));
    }

    @Test
    void a_step_is_not_confirmed_by_too_few_too_small_or_too_alike_points() {
        assertThat(Confirmation.of(FIVE_PERCENT, around(10, 0.01, 8), around(11, 0.01, 4), 0)
                        .reason())
                .isEqualTo("8 points before and 4 after, 5 are needed on each side");
        assertThat(Confirmation.of(FIVE_PERCENT, around(10, 0.001, 8), around(10.2, 0.001, 8), 0)
                        .reason())
                .isEqualTo("the change is smaller than matters");
        assertThat(Confirmation.of(FIVE_PERCENT, around(10, 0.01, 8), around(11, 0.01, 8), 0.9)
                        .reason())
                .contains("points are autocorrelated (r = 0.90)");
        assertThat(Confirmation.of(FIVE_PERCENT, around(10, 0.05, 6), around(10.8, 0.05, 6), 0)
                        .reason())
                .contains("p is");
    }

    @Test
    void one_point_cannot_confirm() {
        List<Double> before = around(10, 0.012, 6);
        List<Double> after = new ArrayList<>(around(10.55, 0.012, 6));
        Confirmation step = Confirmation.of(FIVE_PERCENT, before, after, 0);
        double without = p(step.without());
        assertThat(p(step.p())).isLessThan(Confirmation.ALPHA);
        assertThat(without).isGreaterThan(Confirmation.ALPHA);
        assertThat(step.reason()).startsWith("it rests on one point, without which p is");
        Collections.reverse(after);
        assertThat(p(Confirmation.of(FIVE_PERCENT, before, after, 0).without())).isCloseTo(without, within(1e-12));
    }

    private static double p(@Nullable Double value) {
        return Objects.requireNonNull(value);
    }

    private static double twoSided(double change, int trials, double alpha) {
        double shift = Math.log1p(change) / (0.03 * Math.sqrt(2.0 / trials));
        return Power.ofVerdict(shift, 0, 2.0 * trials - 2, alpha);
    }

    private static double[] autoregressive(Random random, int count, double r) {
        double[] values = new double[count];
        double value = random.nextGaussian() / Math.sqrt(1 - r * r);
        for (int i = 0; i < count; i++) {
            values[i] = value;
            value = r * value + random.nextGaussian();
        }
        return values;
    }
}
