package dev.loomboard.stats.bisection;

import dev.loomboard.stats.bisection.Bisection.Blocks;

/** Expected information of a bisection's step in bits, by Simpson's rule over what it may measure. */
final class BisectionGain {

    private static final int STEPS = 300;
    private static final double REACH = 12;

    private final double[] before = new double[STEPS + 1];
    private final double[] after = new double[STEPS + 1];
    private final double step;

    /** The level after the change is taken as normal, with the mean and variance that the rerun and its prior give. */
    BisectionGain(Blocks rerun, int blocks) {
        StepNoise noise = StepNoise.of(rerun, blocks, null);
        double error = StepNoise.error(rerun);
        double prior = StrictMath.pow(BisectionEvidence.deviation(rerun, error), 2);
        double shrunk = prior / (prior + error * error);
        double level = shrunk * rerun.mean();
        double wide = StrictMath.sqrt(noise.error() * noise.error() + shrunk * error * error);
        double low = StrictMath.min(0, level) - REACH * wide;
        double high = StrictMath.max(0, level) + REACH * wide;
        step = (high - low) / STEPS;
        for (int i = 0; i <= STEPS; i++) {
            before[i] = noise.density(low + i * step, 0);
            after[i] = noise.density(low + i * step, level, wide);
        }
    }

    /** What a step without noise would tell. */
    static double most(double share) {
        return share <= 0 || share >= 1
                ? 0
                : -(share * StrictMath.log(share) + (1 - share) * StrictMath.log1p(-share)) / StrictMath.log(2);
    }

    /** @param share how probable it is that the build has the change */
    double bits(double share) {
        double sum = 0;
        for (int i = 0; i <= STEPS; i++) {
            double mixed = share * after[i] + (1 - share) * before[i];
            double told = share * after[i] * StrictMath.log(after[i] / mixed)
                    + (1 - share) * before[i] * StrictMath.log(before[i] / mixed);
            sum += (i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2) * told;
        }
        return sum * step / 3 / StrictMath.log(2);
    }
}
