package dev.loomboard.stats;

import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/** What was counted, as a share or a rate, with its exact 95 % interval. */
public record Estimate(double value, double low, double high) {

    private static final double OUTSIDE = 0.05;

    /** Clopper and Pearson (Biometrika 1934). */
    public static Estimate share(int hits, int of) {
        if (of < 1 || hits < 0 || hits > of) {
            throw new IllegalArgumentException("a share needs hits from 0 to all, has " + hits + " of " + of);
        }
        double low =
                hits == 0 ? 0 : BetaDistribution.of(hits, of - hits + 1.0).inverseCumulativeProbability(OUTSIDE / 2);
        double high =
                hits == of ? 1 : BetaDistribution.of(hits + 1.0, of - hits).inverseSurvivalProbability(OUTSIDE / 2);
        return new Estimate((double) hits / of, low, high);
    }

    /** Events that come independently of each other, per unit of what was watched (Garwood, Biometrika 1936). */
    public static Estimate rate(int events, double watched) {
        if (events < 0 || !(watched > 0)) {
            throw new IllegalArgumentException("a rate needs events and time, has " + events + " in " + watched);
        }
        double low =
                events == 0 ? 0 : ChiSquaredDistribution.of(2.0 * events).inverseCumulativeProbability(OUTSIDE / 2) / 2;
        double high = ChiSquaredDistribution.of(2.0 * events + 2).inverseSurvivalProbability(OUTSIDE / 2) / 2;
        return new Estimate(events / watched, low / watched, high / watched);
    }
}
