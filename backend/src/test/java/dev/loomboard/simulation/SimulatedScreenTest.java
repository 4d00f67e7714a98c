package dev.loomboard.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class SimulatedScreenTest {

    private static final int SERIES = 200;

    @Test
    void quiet_nights_start_about_as_many_reruns_as_their_budget_clears() {
        SimulatedScreen screen = SimulatedScreen.of(SERIES);
        Random random = new Random(8);
        int nights = 60_000;
        double[] ratios = new double[nights];
        for (int i = 0; i < nights; i++) {
            ratios[i] = 0.02 * random.nextGaussian();
        }
        int started = 0;
        for (int night = SimulatedScreen.PAST; night < nights; night++) {
            started += screen.starts(ratios, night) ? 1 : 0;
        }
        double perNight = (double) started / nights * SERIES;
        double budget = (double) SimulatedScreen.BUDGET / SimulatedScreen.CLEARED;
        assertThat(perNight).isBetween(0.8 * budget, 1.2 * budget);
    }

    @Test
    void a_rise_starts_one_and_a_fall_none() {
        SimulatedScreen screen = SimulatedScreen.of(SERIES);
        double[] ratios = new double[SimulatedScreen.PAST + 1];
        for (int i = 0; i < SimulatedScreen.PAST; i++) {
            ratios[i] = i % 2 == 0 ? 0.01 : -0.01;
        }
        ratios[SimulatedScreen.PAST] = 0.05;
        assertThat(screen.starts(ratios, SimulatedScreen.PAST)).isTrue();
        ratios[SimulatedScreen.PAST] = -0.05;
        assertThat(screen.starts(ratios, SimulatedScreen.PAST)).isFalse();
        ratios[SimulatedScreen.PAST] = 0.01;
        assertThat(screen.starts(ratios, SimulatedScreen.PAST)).isFalse();
    }
}
