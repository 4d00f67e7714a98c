package dev.loomboard.stats;

import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * How far two shares of samples differ, the second less the first, with an interval of 95 %: Newcombe's hybrid of Wilson's
 * score intervals (Statistics in Medicine 17 (1998) 873–890, method 10). It holds for shares of 0 and 1 too. What it knows of
 * is the drawing of samples alone, each for itself; that one trial differs from the next is not in it.
 */
public record ShareDifference(double difference, double low, double high) {

    private static final double OUTSIDE = 0.05;
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    /** Wilson's score interval of one share. */
    private record Wilson(double share, double low, double high) {
        static Wilson of(double hits, double of, double z) {
            double middle = (hits + z * z / 2) / (of + z * z);
            double half = z * Math.sqrt(hits * (of - hits) / of + z * z / 4) / (of + z * z);
            return new Wilson(hits / of, Math.max(0, middle - half), Math.min(1, middle + half));
        }
    }

    /**
     * @param hits of {@code of} samples, which are one or more
     * @param others of {@code ofOthers} likewise
     * @param together how many such intervals are to hold all at once (Bonferroni); 1: this one alone
     */
    public static ShareDifference of(double hits, double of, double others, double ofOthers, int together) {
        if (of < 1 || ofOthers < 1 || together < 1) {
            throw new IllegalArgumentException("a share needs samples: " + of + " and " + ofOthers + ", " + together);
        }
        double z = NORMAL.inverseSurvivalProbability(OUTSIDE / 2 / together);
        Wilson first = Wilson.of(hits, of, z);
        Wilson second = Wilson.of(others, ofOthers, z);
        double difference = second.share - first.share;
        return new ShareDifference(
                difference,
                difference - Math.hypot(second.share - second.low, first.high - first.share),
                difference + Math.hypot(second.high - second.share, first.share - first.low));
    }

    /** More than the drawing of samples explains. */
    public boolean beyondError() {
        return low > 0 || high < 0;
    }
}
