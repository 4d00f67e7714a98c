package dev.loomboard.stats.bisection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Whether two changes explain the steps of a bisection better than one. Both models integrate over the levels that they do not know
 * ({@link BisectionEvidence}) and over all places alike, so the ratio of their evidences is a Bayes factor, which charges the second
 * change for the places and the level that it may choose (Kass and Raftery 1995, Bayes Factors). It needs no count of parameters, as
 * BIC does, which is for many more measurements than a bisection has.
 *
 * @param posterior of two changes
 * @param first how probable it is that the first of two came with build 1, 2 and so on
 * @param second the same of the second
 */
public record TwoChanges(double posterior, List<Double> first, List<Double> second) {

    /** Of ranges with a confirmed change, as many are taken to have another. */
    static final double PRIOR = 0.1;

    public TwoChanges {
        first = List.copyOf(first);
        second = List.copyOf(second);
    }

    /** More probable than one. */
    public boolean likely() {
        return posterior > 0.5;
    }

    /** So probable that both places may be looked for. */
    public boolean certain() {
        return posterior >= Bisection.MASS;
    }

    /** The build of which is least known which of the two have reached it; empty: both places are known, or no step would tell. */
    public OptionalInt next(Set<Integer> leftOut) {
        int best = 0;
        double most = Bisection.LEAST_GAIN;
        double reachedByFirst = 0;
        double reachedBySecond = 0;
        boolean known = Bisection.credible(first).size() == 1
                && Bisection.credible(second).size() == 1;
        for (int build = 1; build < first.size() && !known; build++) {
            reachedByFirst += first.get(build - 1);
            reachedBySecond += second.get(build - 1);
            double bits = BisectionGain.most(reachedByFirst) + BisectionGain.most(reachedBySecond);
            if (!leftOut.contains(build) && bits > most) {
                most = bits;
                best = build;
            }
        }
        return best == 0 ? OptionalInt.empty() : OptionalInt.of(best);
    }

    /** @param ofOne ln of how probable the steps are if one change came with build 1, 2 and so on: of two builds at least */
    static TwoChanges of(BisectionEvidence evidence, double[] ofOne) {
        int places = ofOne.length;
        double[][] between = between(evidence);
        List<Pair> pairs = new ArrayList<>();
        for (int first = 0; first < places; first++) {
            for (int second = first + 1; second < places; second++) {
                pairs.add(new Pair(first, second));
            }
        }
        double[] logs = pairs.stream()
                .mapToDouble(pair -> {
                    int from = evidence.before(pair.first + 1);
                    return evidence.unchanged(from) + between[from][evidence.before(pair.second + 1)];
                })
                .toArray();
        double two = BisectionEvidence.sum(logs) - StrictMath.log(logs.length);
        double one = BisectionEvidence.sum(ofOne) - StrictMath.log(places);
        double odds = PRIOR / (1 - PRIOR) * StrictMath.exp(two - one);
        double posterior = Double.isInfinite(odds) ? 1 : odds / (1 + odds);
        double[] shares = BisectionEvidence.shares(logs);
        return new TwoChanges(
                posterior, marginal(pairs, Pair::first, shares, places), marginal(pairs, Pair::second, shares, places));
    }

    /** Places of two changes: 0 is build 1. */
    private record Pair(int first, int second) {}

    /** Of all steps from the first change on, by how many lie before each of the two. */
    private static double[][] between(BisectionEvidence evidence) {
        int steps = evidence.steps();
        double[][] between = new double[steps + 1][steps + 1];
        for (int to = 0; to <= steps; to++) {
            double changed = evidence.changed(to);
            for (int from = 0; from <= to; from++) {
                between[from][to] = evidence.between(from, to) + changed;
            }
        }
        return between;
    }

    private static List<Double> marginal(List<Pair> pairs, ToIntFunction<Pair> place, double[] shares, int places) {
        double[] sums = new double[places];
        for (int i = 0; i < shares.length; i++) {
            sums[place.applyAsInt(pairs.get(i))] += shares[i];
        }
        return Arrays.stream(sums).boxed().toList();
    }
}
