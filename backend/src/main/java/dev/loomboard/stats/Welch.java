package dev.loomboard.stats;

import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Welch's comparison of two means (Biometrika 1947), right − left on the scale of the moments; degrees of freedom by
 * Satterthwaite. The counts may be effective ones, which autocorrelation lowers.
 *
 * @param freedom NaN when neither side varies
 */
public record Welch(double difference, double error, double freedom) {

    /** Both counts must be over 1. */
    public static Welch of(Moments left, double leftCount, Moments right, double rightCount) {
        if (!(leftCount > 1 && rightCount > 1)) {
            throw new IllegalArgumentException(
                    "both sides need more than one value, have " + leftCount + " and " + rightCount);
        }
        double l = left.variance() / leftCount;
        double r = right.variance() / rightCount;
        double both = l + r;
        double freedom = both * both / (l * l / (leftCount - 1) + r * r / (rightCount - 1));
        return new Welch(right.mean() - left.mean(), StrictMath.sqrt(both), freedom);
    }

    public static Welch of(Moments left, Moments right) {
        return of(left, left.count(), right, right.count());
    }

    /** Two-sided. Sides that do not vary: 1 when they are equal, else 0. */
    public double p() {
        double size = StrictMath.abs(difference);
        if (error == 0) {
            return size > 0 ? 0 : 1;
        }
        return 2 * TDistribution.of(freedom).survivalProbability(size / error);
    }

    /** Half of the 95 % interval, on the scale. */
    double half() {
        return error == 0 ? 0 : Mean.critical(freedom) * error;
    }
}
