package dev.loomboard.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

final class SimulatedWatchTest {

    private static final int STEP = 60;
    private static final List<Margin> MARGINS = List.of(new Margin(Scale.LN, 0.05, 0), new Margin(Scale.LN, 0.5, 0));

    @Test
    void a_step_is_suspected_once_and_confirmed_by_its_rerun_the_same_night() {
        SimulatedWatch watch = watched(STEP + 30, night -> night < STEP ? 0 : 0.2, night -> night < STEP ? 0 : 0.2);
        assertThat(watch.suspects()).hasSize(1);
        SimulatedWatch.Suspect suspect = watch.suspects().getFirst();
        assertThat(suspect.index).isBetween(STEP - 1, STEP + 1);
        assertThat(suspect.slower).isTrue();
        assertThat(watch.messages()).containsExactly(new SimulatedWatch.Message(suspect, 0, suspect.night, true));
    }

    /** What the nights show and the rerun does not see: the series moved, and not for the build. */
    @Test
    void a_step_that_the_rerun_denies_is_confirmed_by_its_history_when_it_has_enough_points() {
        SimulatedWatch watch = watched(STEP + 30, night -> night < STEP ? 0 : 0.2, night -> 0);
        SimulatedWatch.Suspect suspect = watch.suspects().getFirst();
        assertThat(watch.messages()).containsExactly(new SimulatedWatch.Message(suspect, 0, suspect.index + 11, false));
    }

    @Test
    void what_gets_faster_is_no_slowdown() {
        SimulatedWatch watch = watched(STEP + 30, night -> night < STEP ? 0 : -0.2, night -> night < STEP ? 0 : -0.2);
        assertThat(watch.suspects().getFirst().slower).isFalse();
        assertThat(watch.messages()).hasSize(1);
        SimulatedWatch denied = watched(STEP + 8, night -> night < STEP ? 0 : -0.2, night -> night < STEP ? 0 : 0.2);
        assertThat(denied.messages()).as("the rerun found the opposite").isEmpty();
    }

    @Test
    void a_steady_series_is_left_alone() {
        SimulatedWatch watch = watched(150, night -> 0, night -> 0);
        assertThat(watch.suspects()).isEmpty();
        assertThat(watch.digest()).isZero();
    }

    /** @param shown ln of the level that the nights have; @param real the level that the rerun finds */
    private static SimulatedWatch watched(int nights, IntToDoubleFunction shown, IntToDoubleFunction real) {
        Random random = new Random(4);
        double[] values = new double[nights];
        for (int i = 0; i < nights; i++) {
            values[i] = SimulatedSeries.LEVEL * Math.exp(shown.applyAsDouble(i) + (i % 2 == 0 ? 0.02 : -0.02));
        }
        SimulatedWatch watch = new SimulatedWatch(new SimulatedRerun(Noise.GAUSSIAN, 0.03, 5, real, random), MARGINS);
        for (int length = 1; length <= nights; length++) {
            watch.night(Arrays.copyOf(values, length));
        }
        return watch;
    }
}
