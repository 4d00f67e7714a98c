package dev.loomboard.stats.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a control says of seeded nights. */
final class ControlComparisonTest {

    private static final Margin TWO_PERCENT = new Margin(Scale.LN, 0.02, 0);

    private final Random random = new Random(11);

    @Test
    void control_that_stays_leaves_the_change_with_the_candidate() {
        ControlComparison control = up(nights(10, 1, 1), nights(8, 1.05, 1));
        assertThat(control.moved()).isEqualTo(ControlComparison.Moved.STILL);
        assertThat(control.itself().low()).isLessThan(1);
        assertThat(control.itself().high()).isGreaterThan(1);
        assertThat(control.left()).isEqualTo(ControlComparison.Left.REMAINS);
        assertThat(control.against().ratio()).isCloseTo(1.05, within(0.01));
        assertThat(control.against().low()).isGreaterThan(1.03);
        assertThat(control.before()).isEqualTo(10);
        assertThat(control.after()).isEqualTo(8);
    }

    @Test
    void control_that_moves_along_takes_the_change_away() {
        ControlComparison control = up(nights(10, 1, 1), nights(8, 1.05, 1.05));
        assertThat(control.moved()).isEqualTo(ControlComparison.Moved.MOVED);
        assertThat(control.left()).isEqualTo(ControlComparison.Left.GONE);
        assertThat(control.against().low()).isLessThan(1);
        assertThat(control.against().high()).isGreaterThan(1);
    }

    @Test
    void what_goes_beyond_the_control_remains_and_what_falls_short_of_it_is_gone() {
        ControlComparison beyond = up(nights(10, 1, 1), nights(8, 1.15, 1.05));
        assertThat(beyond.moved()).isEqualTo(ControlComparison.Moved.MOVED);
        assertThat(beyond.left()).isEqualTo(ControlComparison.Left.REMAINS);
        assertThat(up(nights(10, 1, 1), nights(8, 1.05, 1.15)).left()).isEqualTo(ControlComparison.Left.GONE);
    }

    @Test
    void change_to_smaller_values_is_judged_in_its_direction() {
        List<ControlComparison.Night> before = nights(10, 1, 1);
        List<ControlComparison.Night> after = nights(8, 0.95, 1);
        assertThat(ControlComparison.of(TWO_PERCENT, false, before, after)
                        .orElseThrow()
                        .left())
                .isEqualTo(ControlComparison.Left.REMAINS);
        assertThat(up(before, after).left()).as("nothing of a rise").isEqualTo(ControlComparison.Left.GONE);
    }

    @Test
    void what_is_too_noisy_or_too_short_is_not_said_to_have_stayed() {
        List<ControlComparison.Night> noisy = List.of(night(1, 1), night(1, 1.2), night(1, 0.9), night(1, 1.1));
        ControlComparison control = up(noisy, noisy);
        assertThat(control.moved()).isEqualTo(ControlComparison.Moved.UNCLEAR);
        assertThat(control.left()).isEqualTo(ControlComparison.Left.UNCLEAR);
        assertThat(ControlComparison.of(TWO_PERCENT, true, noisy.subList(0, 2), noisy))
                .isEmpty();
        assertThat(ControlComparison.of(TWO_PERCENT, true, noisy, List.of(night(1, 0), night(1, 1), night(1, 1))))
                .as("a control of 0 has no ratio")
                .isEmpty();
        assertThat(ControlComparison.of(new Margin(Scale.IDENTITY, 0.02, 0), true, noisy, noisy))
                .as("nor has what is counted from 0")
                .isEmpty();
    }

    @Test
    void what_a_night_does_to_both_falls_out_of_the_ratio() {
        List<ControlComparison.Night> before = List.of(night(1, 2), night(1.5, 3), night(0.8, 1.6), night(1.2, 2.41));
        List<ControlComparison.Night> after =
                List.of(night(1.1, 2), night(1.65, 3), night(0.88, 1.6), night(1.32, 2.41));
        ControlComparison control = up(before, after);
        assertThat(control.moved()).isEqualTo(ControlComparison.Moved.UNCLEAR);
        assertThat(control.left()).isEqualTo(ControlComparison.Left.REMAINS);
        assertThat(control.against().low()).isGreaterThan(1.09);
        assertThat(control.against().high()).isLessThan(1.11);
    }

    /** Nights hand the host's state on (r = 0.8); 12 of each level, control and candidate with noise of their own. */
    @Test
    void interval_of_the_ratio_covers_the_truth_while_the_host_drifts() {
        int covered = 0;
        int rounds = 2000;
        for (int i = 0; i < rounds; i++) {
            List<ControlComparison.Night> nights = drifting(24);
            ControlComparison.Interval against =
                    up(nights.subList(0, 12), nights.subList(12, 24)).against();
            covered += against.low() <= 1 && 1 <= against.high() ? 1 : 0;
        }
        assertThat((double) covered / rounds).isBetween(0.94, 0.965);
    }

    private List<ControlComparison.Night> drifting(int count) {
        List<ControlComparison.Night> nights = new ArrayList<>();
        double host = 0;
        for (int i = 0; i < count; i++) {
            host = 0.8 * host + 0.02 * random.nextGaussian();
            nights.add(night(
                    Math.exp(host + 0.01 * random.nextGaussian()), Math.exp(host + 0.02 * random.nextGaussian())));
        }
        return nights;
    }

    private static ControlComparison up(List<ControlComparison.Night> before, List<ControlComparison.Night> after) {
        return ControlComparison.of(TWO_PERCENT, true, before, after).orElseThrow();
    }

    private static ControlComparison.Night night(double candidate, double control) {
        return new ControlComparison.Night(candidate, control);
    }

    private List<ControlComparison.Night> nights(int count, double candidate, double control) {
        List<ControlComparison.Night> nights = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double host = Math.exp(0.003 * random.nextGaussian());
            nights.add(night(
                    candidate * host * Math.exp(0.005 * random.nextGaussian()),
                    control * host * Math.exp(0.005 * random.nextGaussian())));
        }
        return nights;
    }
}
