package dev.loomboard.stats;

import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/**
 * Where a standard deviation lies with a confidence of 95 %, of which few degrees of freedom know little: of four, between
 * 0.6 and 2.9 times what was seen (χ² interval of a normal sample's variance).
 */
public record SpreadBounds(double low, double high) {

    private static final double OUTSIDE = 0.05;

    /** @param freedom at least 1 */
    public static SpreadBounds of(double spread, int freedom) {
        ChiSquaredDistribution squares = ChiSquaredDistribution.of(freedom);
        return new SpreadBounds(
                spread * StrictMath.sqrt(freedom / squares.inverseSurvivalProbability(OUTSIDE / 2)),
                spread * StrictMath.sqrt(freedom / squares.inverseCumulativeProbability(OUTSIDE / 2)));
    }
}
