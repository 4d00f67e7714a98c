package dev.loomboard.stats;

import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/**
 * A standard deviation with its 95 % interval: (n−1)·s² ÷ σ² of a normal sample has the χ² distribution of n−1 degrees of freedom,
 * of which few know little. Four know σ to between 0.6 and 2.9 times what was seen, nine to between 0.69 and 1.83.
 */
public record SpreadInterval(double value, double low, double high) {

    private static final double OUTSIDE = 0.05;

    /** @param freedom at least 1 */
    public static SpreadInterval of(double spread, int freedom) {
        ChiSquaredDistribution squares = ChiSquaredDistribution.of(freedom);
        return new SpreadInterval(
                spread,
                spread * StrictMath.sqrt(freedom / squares.inverseSurvivalProbability(OUTSIDE / 2)),
                spread * StrictMath.sqrt(freedom / squares.inverseCumulativeProbability(OUTSIDE / 2)));
    }

    /** Of values as a coefficient of variation: 0.02 is 2 %. Empty: fewer than three, or one that is not positive and finite. */
    public static Optional<SpreadInterval> ofShares(List<Double> values) {
        if (values.size() < 3 || values.stream().anyMatch(v -> !(v > 0 && Double.isFinite(v)))) {
            return Optional.empty();
        }
        double spread = StrictMath.sqrt(Moments.of(values, Scale.LN).variance());
        SpreadInterval logs = of(spread, values.size() - 1);
        return Optional.of(new SpreadInterval(share(logs.value), share(logs.low), share(logs.high)));
    }

    private static double share(double spread) {
        return StrictMath.sqrt(StrictMath.expm1(spread * spread));
    }
}
