package dev.loomboard.stats.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.change.ControlPool.Night;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Builds that stayed, as one control. */
final class ControlPoolTest {

    private static final Margin TWO_PERCENT = new Margin(Scale.LN, 0.02, 0);

    @Test
    void one_build_is_the_control_itself() {
        ControlPool pool = ControlPool.of(nights(3, Map.of(7L, 2.0)), nights(4, Map.of(7L, 2.2)));
        assertThat(pool.builds()).containsExactly(7L);
        assertThat(pool.before())
                .hasSize(3)
                .allSatisfy(n -> assertThat(n.control()).isCloseTo(2.0, within(1e-12)));
        assertThat(pool.after())
                .hasSize(4)
                .allSatisfy(n -> assertThat(n.control()).isCloseTo(2.2, within(1e-12)));
    }

    @Test
    void shift_of_the_host_is_seen_whole_whichever_builds_ran_when() {
        List<Night> before = new ArrayList<>(nights(3, Map.of(1L, 2.0, 2L, 5.0)));
        before.addAll(nights(6, Map.of(2L, 5.0)));
        List<Night> after = new ArrayList<>(nights(3, Map.of(1L, 2.2, 2L, 5.5)));
        after.addAll(nights(6, Map.of(1L, 2.2)));
        ControlPool pool = ControlPool.of(before, after);
        assertThat(pool.builds()).containsExactly(2L, 1L);
        assertThat(compared(pool).itself().ratio()).isCloseTo(1.1, within(1e-12));
        assertThat(compared(pool).against().ratio()).isCloseTo(1 / 1.1, within(1e-12));
    }

    @Test
    void builds_that_ran_too_seldom_beside_both_levels_or_are_not_positive_are_left_out() {
        List<Night> before = new ArrayList<>(nights(2, Map.of(1L, 2.0, 2L, 5.0, 3L, 0.0)));
        before.addAll(nights(2, Map.of(1L, 2.0, 3L, 1.0)));
        ControlPool pool = ControlPool.of(before, nights(5, Map.of(1L, 2.0, 2L, 9.0, 3L, 1.0)));
        assertThat(pool.builds()).containsExactly(1L);
        assertThat(compared(pool).itself().ratio()).isCloseTo(1, within(1e-12));
        assertThat(ControlPool.of(before, List.of()).builds()).isEmpty();
    }

    @Test
    void nights_next_to_the_change_count() {
        List<Night> after = new ArrayList<>(nights(FollowUpPolicy.POINTS, Map.of(1L, 2.0)));
        after.addAll(nights(5, Map.of(1L, 100.0)));
        assertThat(ControlPool.of(nights(3, Map.of(1L, 2.0)), after).after())
                .hasSize(FollowUpPolicy.POINTS)
                .allSatisfy(n -> assertThat(n.control()).isCloseTo(2, within(1e-12)));
    }

    @Test
    void several_controls_know_the_host_better_than_the_one_that_ran_most() {
        Random random = new Random(5);
        double alone = 0;
        double pooled = 0;
        for (int i = 0; i < 500; i++) {
            List<Night> before = noisy(6, random);
            List<Night> after = noisy(6, random);
            alone += width(compared(ControlPool.of(one(before), one(after))));
            pooled += width(compared(ControlPool.of(before, after)));
        }
        // Noise of one launch to that of the mean of three: 1/√3 on the control's side.
        assertThat(pooled / alone).isBetween(0.52, 0.63);
    }

    private static double width(ControlComparison of) {
        return of.itself().high() - of.itself().low();
    }

    private static List<Night> one(List<Night> nights) {
        return nights.stream()
                .map(n -> new Night(n.candidate(), Map.of(1L, n.controls().getOrDefault(1L, 0.0))))
                .toList();
    }

    private static List<Night> noisy(int count, Random random) {
        List<Night> nights = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nights.add(new Night(1, Map.of(1L, noise(random), 2L, 3 * noise(random), 3L, 7 * noise(random))));
        }
        return nights;
    }

    private static double noise(Random random) {
        return Math.exp(0.03 * random.nextGaussian());
    }

    private static ControlComparison compared(ControlPool pool) {
        return ControlComparison.of(TWO_PERCENT, true, pool.before(), pool.after())
                .orElseThrow();
    }

    private static List<Night> nights(int count, Map<Long, Double> controls) {
        List<Night> nights = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nights.add(new Night(1, controls));
        }
        return nights;
    }
}
