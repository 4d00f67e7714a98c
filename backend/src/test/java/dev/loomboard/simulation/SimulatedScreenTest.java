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
        double budget = 175.0 / 26;
        assertThat(perNight).isBetween(0.8 * budget, 1.2 * budget);
    }
}
