package dev.loomboard.stats;

import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/**
 * How far values of one thing differ, as a coefficient of variation, with its 95 % interval: on the scale ln
 * (n−1)·s² ÷ σ² has the χ² distribution of n−1 degrees of freedom. Ten values know σ to about × 0.69 to 1.83.
 *
 * @param value a share: 0.02 is 2 %
 */
public record SpreadInterval(double value, double low, double high) {

    private static final double OUTSIDE = 0.05;

    /** Empty: fewer than three values, or one that is not positive and finite. */
    public static Optional<SpreadInterval> of(List<Double> values) {
        if (values.size() < 3 || values.stream().anyMatch(v -> !(v > 0 && Double.isFinite(v)))) {
            return Optional.empty();
        }
        double variance = Moments.of(values, Scale.LN).variance();
        int freedom = values.size() - 1;
        ChiSquaredDistribution squares = ChiSquaredDistribution.of(freedom);
        return Optional.of(new SpreadInterval(
                share(variance),
                share(variance * freedom / squares.inverseSurvivalProbability(OUTSIDE / 2)),
                share(variance * freedom / squares.inverseCumulativeProbability(OUTSIDE / 2))));
    }

    private static double share(double variance) {
        return StrictMath.sqrt(StrictMath.expm1(variance));
    }
}
