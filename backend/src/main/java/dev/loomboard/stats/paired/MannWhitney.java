package dev.loomboard.stats.paired;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The exact two-sided Mann–Whitney test (Annals of Mathematical Statistics 1947), ties included: equal values share their mean
 * rank, and the sums of all choices of ranks are counted. Libraries fall back to the normal curve at ties, which histograms'
 * three digits make often and which few trials do not bear.
 */
final class MannWhitney {

    private MannWhitney() {}

    /** Two-sided p; both sides need a value. Work grows with the fourth power of their number: for trials, not for hits. */
    static double p(List<Double> left, List<Double> right) {
        if (left.isEmpty() || right.isEmpty()) {
            throw new IllegalArgumentException("both sides need a value, have " + left.size() + " and " + right.size());
        }
        List<Double> sorted = new ArrayList<>(left);
        sorted.addAll(right);
        Collections.sort(sorted);
        int all = sorted.size();
        int[] ranks = new int[all];
        int observed = 0;
        for (int i = 0; i < all; i++) {
            ranks[i] = doubledRank(sorted, sorted.get(i));
        }
        for (double value : left) {
            observed += doubledRank(sorted, value);
        }
        return twoSided(shares(ranks, left.size()), observed, left.size() * (all + 1));
    }

    /** The least p for these numbers of values; no test can decide below it. */
    static double least(int left, int right) {
        double ways = 1;
        for (int i = 1; i <= left; i++) {
            ways = ways * (right + i) / i;
        }
        return StrictMath.min(1, 2 / ways);
    }

    /** Twice the mean rank, from 2: a whole number. */
    private static int doubledRank(List<Double> sorted, double value) {
        int below = 0;
        int equal = 0;
        for (double other : sorted) {
            below += other < value ? 1 : 0;
            equal += other == value ? 1 : 0;
        }
        return 2 * below + equal + 1;
    }

    /** How many choices of {@code chosen} ranks have each sum. */
    private static double[] shares(int[] ranks, int chosen) {
        int most = 0;
        for (int rank : ranks) {
            most += rank;
        }
        double[][] ways = new double[chosen + 1][most + 1];
        ways[0][0] = 1;
        for (int rank : ranks) {
            for (int k = chosen; k > 0; k--) {
                for (int sum = most; sum >= rank; sum--) {
                    ways[k][sum] += ways[k - 1][sum - rank];
                }
            }
        }
        return ways[chosen];
    }

    /** The share of sums that lie as far from the middle as the observed one, or farther. */
    private static double twoSided(double[] ways, int observed, int middle) {
        double all = 0;
        double beyond = 0;
        for (int sum = 0; sum < ways.length; sum++) {
            all += ways[sum];
            if (StrictMath.abs(sum - middle) >= StrictMath.abs(observed - middle)) {
                beyond += ways[sum];
            }
        }
        return beyond / all;
    }
}
