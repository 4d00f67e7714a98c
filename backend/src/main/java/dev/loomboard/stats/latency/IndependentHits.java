package dev.loomboard.stats.latency;

/**
 * How many independent hits those beyond a percentile are worth. Hits of one stall fall together: their number per block of
 * time then varies by more than its mean, and n of them are worth n ÷ (variance ÷ mean), as n of a Poisson process are worth
 * n (index of dispersion for counts: Cox and Lewis, "The Statistical Analysis of Series of Events", 1966, section 4.5). A burst
 * that is longer than a block looks like several, so the greatest dispersion over blocks of 1, 2, 4, … s counts, as long as
 * {@link #LEAST_BLOCKS} of them fit into the step. An even spread adds nothing: dispersion counts as 1 at least.
 */
public final class IndependentHits {

    /** Seconds that a step needs: with fewer a burst may hide between too few blocks. */
    public static final int LEAST_SECONDS = 6;

    /** Of each length: fewer say too little of their variance. */
    public static final int LEAST_BLOCKS = 4;

    private IndependentHits() {}

    /** @param perSecond hits beyond the percentile, of each second of the step in order */
    public static double of(long[] perSecond) {
        long all = 0;
        for (long hits : perSecond) {
            all += hits;
        }
        double dispersion = 1;
        for (int length = 1; perSecond.length / length >= LEAST_BLOCKS; length *= 2) {
            dispersion = StrictMath.max(dispersion, dispersion(perSecond, length));
        }
        return all / dispersion;
    }

    /** Variance ÷ mean of the hits per block of the given number of seconds; an incomplete block at the end does not count. 0: no hits. */
    private static double dispersion(long[] perSecond, int length) {
        long[] blocks = new long[perSecond.length / length];
        long all = 0;
        for (int i = 0; i < blocks.length * length; i++) {
            blocks[i / length] += perSecond[i];
            all += perSecond[i];
        }
        if (all == 0) {
            return 0;
        }
        double mean = (double) all / blocks.length;
        double squares = 0;
        for (long block : blocks) {
            squares += (block - mean) * (block - mean);
        }
        return squares / (blocks.length - 1) / mean;
    }
}
