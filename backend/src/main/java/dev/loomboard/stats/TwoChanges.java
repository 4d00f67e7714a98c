package dev.loomboard.stats;

import dev.loomboard.stats.Bisection.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Whether two changes explain the steps of a bisection better than one. Both models integrate over the levels that they do not know
 * ({@link BisectionEvidence}) and over all places alike, so the ratio of their evidences is a Bayes factor, which charges the second
 * change for the places and the level that it may choose (Kass and Raftery 1995, Bayes Factors). It needs no count of parameters, as
 * BIC does, which is for many more measurements than a bisection has.
 *
 * @param posterior of two changes
 * @param first how probable it is that the first of two came with build 1, 2 and so on; @param second likewise of the second
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

    /** @param of with two builds after the last good one at least: else there is no place for two */
    static TwoChanges of(Bisection of, List<Step> steps) {
        int places = of.builds() - 1;
        BisectionEvidence evidence = new BisectionEvidence(of, steps);
        double[][] between = between(evidence);
        List<Double> firsts = new ArrayList<>();
        List<Double> seconds = new ArrayList<>();
        List<Double> logs = new ArrayList<>();
        for (int first = 0; first < places; first++) {
            for (int second = first + 1; second < places; second++) {
                int from = evidence.before(first + 1);
                int to = evidence.before(second + 1);
                logs.add(evidence.unchanged(from) + between[from][to]);
                firsts.add((double) first);
                seconds.add((double) second);
            }
        }
        double two = BisectionEvidence.sum(logs) - StrictMath.log(logs.size());
        double one = BisectionEvidence.sum(of.evidence(evidence)) - StrictMath.log(places);
        double odds = PRIOR / (1 - PRIOR) * StrictMath.exp(two - one);
        List<Double> shares = BisectionEvidence.shares(logs);
        double posterior = Double.isInfinite(odds) ? 1 : odds / (1 + odds);
        return new TwoChanges(posterior, marginal(firsts, shares, places), marginal(seconds, shares, places));
    }

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

    private static List<Double> marginal(List<Double> places, List<Double> shares, int count) {
        double[] sums = new double[count];
        IntStream.range(0, shares.size()).forEach(i -> sums[places.get(i).intValue()] += shares.get(i));
        return IntStream.range(0, count).mapToObj(i -> sums[i]).toList();
    }
}
