package dev.loomboard.stats;

import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;

/** Student's two-sided t test as the change-point detector makes it. */
public final class TTest {

    private TTest() {}

    /**
     * Two-sided p of a pooled t test that is fed the <em>population</em> standard deviation (n, not n − 1): a quirk kept
     * for equality with Apache Otava, whose test makes the p a little too small. Two constant sides: p is 1 or 0.
     */
    public static double pooledPopulation(List<Double> left, List<Double> right) {
        int freedom = left.size() + right.size() - 2;
        if (left.isEmpty() || right.isEmpty() || freedom < 1) {
            throw new IllegalArgumentException("a t test needs a value on each side and three in all, has "
                    + left.size() + " and " + right.size());
        }
        Moments a = Moments.of(left, Scale.IDENTITY);
        Moments b = Moments.of(right, Scale.IDENTITY);
        double pooled = ((a.count() - 1) * a.populationVariance() + (b.count() - 1) * b.populationVariance()) / freedom;
        double difference = a.mean() - b.mean();
        if (pooled == 0) {
            return difference == 0 ? 1 : 0;
        }
        double t = difference / StrictMath.sqrt(pooled * (1.0 / a.count() + 1.0 / b.count()));
        return 2 * TDistribution.of(freedom).survivalProbability(StrictMath.abs(t));
    }
}
