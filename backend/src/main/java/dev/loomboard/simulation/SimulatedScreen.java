package dev.loomboard.simulation;

import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * A loose look at each night, which only starts reruns: the new build ÷ the control of the same night, against what that was in
 * the nights before, and against the night before alone, which is the build before. A rise of either beyond the limit starts a
 * rerun. The limit lets a night without a change start as many reruns as its budget clears.
 *
 * <p>Simulated, to tell what it would find. The service suspects by its detector alone.
 *
 * @param limit in standard errors
 */
record SimulatedScreen(double limit) {

    /** Nights before that tell what is usual. */
    static final int PAST = 20;
    /** Paired blocks of a night that reruns may have: eight hours at 164 s each. */
    static final int BUDGET = 175;
    /** Blocks after which a rerun of equal builds is cleared on average, at a launch spread of 2.5 %. */
    static final int CLEARED = 26;

    static SimulatedScreen of(int series) {
        double starts = (double) BUDGET / CLEARED / series;
        return new SimulatedScreen(NormalDistribution.of(0, 1).inverseSurvivalProbability(starts / 2));
    }

    /** @param ratios ln(build ÷ control) by night */
    boolean starts(double[] ratios, int night) {
        double mean = 0;
        for (int i = night - PAST; i < night; i++) {
            mean += ratios[i] / PAST;
        }
        double squares = 0;
        for (int i = night - PAST; i < night; i++) {
            squares += (ratios[i] - mean) * (ratios[i] - mean);
        }
        double spread = StrictMath.sqrt(squares / (PAST - 1));
        double againstUsual = (ratios[night] - mean) / (spread * StrictMath.sqrt(1 + 1.0 / PAST));
        double againstBefore = (ratios[night] - ratios[night - 1]) / (spread * StrictMath.sqrt(2));
        return StrictMath.max(againstUsual, againstBefore) > limit;
    }
}
