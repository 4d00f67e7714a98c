package dev.loomboard.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

final class SimulatedWatchTest {

    private static final int STEP = 60;
    private static final IntToDoubleFunction STILL = night -> 0;
    private static final double QUIET = 0.03;
    /** So much that no look of a rerun can tell. */
    private static final double NOISY = 1;

    private static final List<Margin> MARGINS = List.of(new Margin(Scale.LN, 0.05, 0), new Margin(Scale.LN, 0.5, 0));

    @Test
    void a_step_is_suspected_once_and_confirmed_by_its_rerun_the_same_night() {
        SimulatedWatch watch = watched(STEP + 30, step(0.2), step(0.2), STILL, QUIET);
        assertThat(watch.suspects()).hasSize(1);
        SimulatedWatch.Suspect suspect = watch.suspects().getFirst();
        assertThat(suspect.index).isBetween(STEP - 1, STEP + 1);
        assertThat(suspect.slower).isTrue();
        assertThat(watch.messages()).containsExactly(new SimulatedWatch.Message(suspect, 0, suspect.night, true));
        assertThat(watch.unattributed()).isZero();
    }

    /** What the nights show and the rerun does not see: the series moved, and not for the build. */
    @Test
    void a_step_that_the_rerun_clears_is_told_to_nobody_whatever_its_history_shows() {
        SimulatedWatch watch = watched(STEP + 30, step(0.2), STILL, STILL, QUIET);
        assertThat(watch.suspects()).isNotEmpty();
        assertThat(watch.messages()).isEmpty();
        assertThat(watch.unattributed()).isPositive();
    }

    @Test
    void a_step_that_the_rerun_leaves_open_is_confirmed_against_a_control_that_stayed() {
        SimulatedWatch watch = watched(STEP + 30, step(0.2), STILL, STILL, NOISY);
        SimulatedWatch.Suspect suspect = watch.suspects().getFirst();
        assertThat(watch.messages()).containsExactly(new SimulatedWatch.Message(suspect, 0, suspect.index + 11, false));
    }

    @Test
    void a_step_of_both_is_the_hosts() {
        SimulatedWatch watch = watched(STEP + 30, step(0.2), STILL, step(0.2), NOISY);
        assertThat(watch.suspects()).isNotEmpty();
        assertThat(watch.messages()).isEmpty();
        assertThat(watch.unattributed()).isPositive();
    }

    @Test
    void what_gets_faster_is_no_slowdown() {
        SimulatedWatch watch = watched(STEP + 30, step(-0.2), step(-0.2), STILL, QUIET);
        assertThat(watch.suspects().getFirst().slower).isFalse();
        assertThat(watch.messages()).hasSize(1);
        SimulatedWatch denied = watched(STEP + 8, step(-0.2), step(0.2), STILL, QUIET);
        assertThat(denied.messages()).as("the rerun found the opposite").isEmpty();
    }

    @Test
    void a_steady_series_is_left_alone() {
        SimulatedWatch watch = watched(150, STILL, STILL, STILL, QUIET);
        assertThat(watch.suspects()).isEmpty();
        assertThat(watch.digest()).isZero();
    }

    /**
     * @param shown ln of the level that the nights have
     * @param real the level that the rerun finds
     * @param control its own
     */
    private static SimulatedWatch watched(
            int nights,
            IntToDoubleFunction shown,
            IntToDoubleFunction real,
            IntToDoubleFunction control,
            double spreadOfRerun) {
        double[] candidate = new double[nights];
        double[] beside = new double[nights];
        for (int i = 0; i < nights; i++) {
            candidate[i] = shown.applyAsDouble(i) + (i % 2 == 0 ? 0.02 : -0.02);
            beside[i] = control.applyAsDouble(i) + (i % 3 == 0 ? 0.02 : -0.01);
        }
        SimulatedRerun rerun = new SimulatedRerun(Noise.GAUSSIAN, spreadOfRerun, 0, new Random(4));
        return new SimulatedWatch(rerun, real, MARGINS, new SimulatedNights(candidate, beside)).watched(1);
    }

    private static IntToDoubleFunction step(double by) {
        return night -> night < STEP ? 0 : by;
    }
}
