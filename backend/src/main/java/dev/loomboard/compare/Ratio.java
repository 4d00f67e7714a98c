package dev.loomboard.compare;

import dev.loomboard.show.Reading;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Candidate ÷ baseline of one metric in one cell, on the ln scale; the trial is the unit.
 *
 * @param low lower end of the 95 % interval; null: a side has fewer than two trials, or no interval was stored for it
 */
public record Ratio(double ratio, @Nullable Double low, @Nullable Double high) {

    private static final double TAIL = 0.975;

    /** Null when a mean is not positive: the ratio would mean nothing. */
    static @Nullable Ratio of(Reading a, int trialsA, Reading b, int trialsB) {
        if (!(a.mean() > 0) || !(b.mean() > 0)) {
            return null;
        }
        double ratio = b.mean() / a.mean();
        Double errorA = standardError(a, trialsA);
        Double errorB = standardError(b, trialsB);
        if (errorA == null || errorB == null) {
            return new Ratio(ratio, null, null);
        }
        double half = halfWidth(errorA * errorA, trialsA, errorB * errorB, trialsB);
        return new Ratio(ratio, ratio * StrictMath.exp(-half), ratio * StrictMath.exp(half));
    }

    /** Welch's interval for a difference of two means, with Satterthwaite's degrees of freedom. */
    private static double halfWidth(double varianceA, int trialsA, double varianceB, int trialsB) {
        double variance = varianceA + varianceB;
        if (variance == 0) {
            return 0;
        }
        double freedom = variance * variance
                / (varianceA * varianceA / (trialsA - 1) + varianceB * varianceB / (trialsB - 1));
        return quantile(freedom) * StrictMath.sqrt(variance);
    }

    /** Of the mean of ln values: the stored interval is mean ± t·error on that scale, so it gives the error back. */
    private static @Nullable Double standardError(Reading side, int trials) {
        Double low = side.low();
        Double high = side.high();
        if (trials < 2 || low == null || high == null || !(low > 0)) {
            return null;
        }
        return (StrictMath.log(high) - StrictMath.log(low)) / 2 / quantile(trials - 1);
    }

    private static double quantile(double freedom) {
        return TDistribution.of(freedom).inverseCumulativeProbability(TAIL);
    }
}
