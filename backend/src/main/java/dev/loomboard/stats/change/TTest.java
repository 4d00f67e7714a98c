package dev.loomboard.stats.change;

import org.apache.commons.statistics.distribution.TDistribution;

/** Student's two-sided t test as the change-point detector makes it. */
final class TTest {

    private TTest() {}

    /**
     * Two-sided p of a pooled t test that is fed the <em>population</em> standard deviation (n, not n − 1): a quirk kept
     * for equality with Apache Otava, whose test makes the p a little too small. Two constant sides: 0, or NaN if
     * they are equal, because nothing was tested then. One value on each side: 1.
     */
    static double pooledPopulation(Segment left, Segment right) {
        int freedom = left.count() + right.count() - 2;
        if (freedom < 1) {
            return 1;
        }
        double squares = (left.count() - 1) * (left.deviation() * left.deviation())
                + (right.count() - 1) * (right.deviation() * right.deviation());
        double error = StrictMath.sqrt(squares / freedom * (1.0 / left.count() + 1.0 / right.count()));
        double difference = left.mean() - right.mean();
        if (error == 0) {
            return difference == 0 ? Double.NaN : 0;
        }
        return 2 * TDistribution.of(freedom).survivalProbability(StrictMath.abs(difference / error));
    }
}
