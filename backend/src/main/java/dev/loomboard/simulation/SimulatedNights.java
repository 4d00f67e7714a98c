package dev.loomboard.simulation;

import java.util.Random;
import java.util.function.IntToDoubleFunction;

/**
 * The nights of one series and of the control that ran beside it, as points: means of the launches of a night, ln of the level.
 * A night shifts both alike; launches take turns in an order that a coin draws, and some are lost.
 */
record SimulatedNights(double[] candidate, double[] control) {

    /**
     * @param spread of launches
     * @param level ln of the candidate's true level, by night
     */
    static SimulatedNights of(
            SimulationSetup setup, Noise noise, double spread, int nights, IntToDoubleFunction level, Random random) {
        double[] host = noise.draw(random, nights);
        double[] candidate = new double[nights];
        double[] control = new double[nights];
        for (int night = 0; night < nights; night++) {
            double shared = setup.night().nightSpread() * host[night];
            double[] launches = noise.draw(random, 2 * setup.night().launches());
            double[] means = means(setup, launches, random);
            candidate[night] = shared + level.applyAsDouble(night) + spread * means[0];
            control[night] = shared + spread * means[1];
        }
        return new SimulatedNights(candidate, control);
    }

    /** Of the candidate and of the control. A side's first launch is repeated until it is there. */
    private static double[] means(SimulationSetup setup, double[] launches, Random random) {
        double[] sums = new double[2];
        int[] counts = new int[2];
        for (int pair = 0; pair < launches.length; pair += 2) {
            int first = random.nextBoolean() ? 1 : 0;
            for (int turn = 0; turn < 2; turn++) {
                int side = turn == 0 ? first : 1 - first;
                if (random.nextDouble() >= setup.night().loss() || counts[side] == 0 && pair == 0) {
                    sums[side] += launches[pair + turn];
                    counts[side]++;
                }
            }
        }
        return new double[] {sums[0] / counts[0], sums[1] / counts[1]};
    }

    double[] ratios() {
        double[] ratios = new double[candidate.length];
        for (int night = 0; night < ratios.length; night++) {
            ratios[night] = candidate[night] - control[night];
        }
        return ratios;
    }

    /** In whatever unit: δ is a share. */
    static double[] values(double[] points) {
        double[] values = new double[points.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = SimulatedSeries.LEVEL * StrictMath.exp(points[i]);
        }
        return values;
    }
}
