package dev.loomboard.stats.bisection;

import dev.loomboard.stats.Mean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which of several builds in a row brought a change that is known to lie between the first and the last of them. Build 0 is
 * the last good one, the last has the change for certain, and one in between is measured against build 0 at a time. What is believed
 * of the place is updated by predictive Student densities. The level after the change is not known, because the rerun was selected
 * for its size: it is integrated out ({@link BisectionEvidence}). The spread of a step is pooled with the rerun's, and never less
 * than the step's own: hosts have noisier minutes. A share of the steps ({@link StepNoise#LAPSE}) is allowed to be about something
 * else. Whether it is one change is asked at the end ({@link TwoChanges}).
 *
 * @param rerun the last build against build 0: mean and spread of a block's difference on the metric's scale
 * @param builds with both ends; the change came with one of builds 1 to builds − 1
 * @param blocks of a step
 */
public record Bisection(Blocks rerun, int builds, int blocks) {

    /** Posterior mass that the credible set holds. */
    public static final double MASS = 0.95;
    /** Standard errors of a step by which "before" and "after" are to lie apart. */
    static final double APART = 4;

    static final int LEAST_BLOCKS = 4;
    static final int MOST_BLOCKS = 20;
    /** Bits: a step that would tell less is not made. */
    static final double LEAST_GAIN = 0.02;
    /**
     * Paired blocks.
     *
     * @param mean of the differences on the scale
     * @param spread standard deviation of one of them
     */
    public record Blocks(int count, double mean, double spread) {

        /** Of a stored ratio with its 95 % t interval. */
        public static Blocks of(int count, double ratio, double low, double high) {
            if (count < 2 || !(low > 0 && ratio > 0 && high >= low)) {
                throw new IllegalArgumentException(
                        "no ratio with an interval: " + ratio + " [" + low + ", " + high + "] of " + count + " blocks");
            }
            double error = (StrictMath.log(high) - StrictMath.log(low)) / 2 / Mean.critical(count - 1.0);
            return new Blocks(count, StrictMath.log(ratio), error * StrictMath.sqrt(count));
        }

        /** As it is stored. */
        public Interval interval() {
            double half = Mean.critical(count - 1.0) * spread / StrictMath.sqrt(count);
            return new Interval(StrictMath.exp(mean), StrictMath.exp(mean - half), StrictMath.exp(mean + half));
        }
    }

    /** A ratio with its 95 % t interval. */
    public record Interval(double ratio, double low, double high) {}

    /** @param build from 1 to builds − 1: the last is measured again once the others have told what they can */
    public record Step(int build, Blocks measured) {}

    public Bisection {
        if (builds < 2 || blocks < 2 || rerun.mean() == 0) {
            throw new IllegalArgumentException(
                    "nothing to look for: " + builds + " builds, " + blocks + " blocks, " + rerun);
        }
    }

    /** With as many blocks a step as keep "before" and "after" apart. */
    public static Bisection of(Blocks rerun, int builds) {
        double needed = StrictMath.pow(APART * rerun.spread() / rerun.mean(), 2);
        int even = 2 * (int) StrictMath.ceil(StrictMath.min(needed, MOST_BLOCKS) / 2);
        return new Bisection(rerun, builds, StrictMath.max(LEAST_BLOCKS, even));
    }

    /**
     * What is believed once steps are measured.
     *
     * @param posterior how probable it is that the change, if it is one, came with build 1, 2 and so on; each alike before the first
     *     step
     * @param two whether there are two; empty: the range has no place for a second, or nothing was measured
     */
    public record Belief(List<Double> posterior, Optional<TwoChanges> two) {}

    public Belief belief(List<Step> steps) {
        BisectionEvidence evidence = new BisectionEvidence(this, steps);
        double[] one = ofOne(evidence);
        return new Belief(
                posterior(one),
                builds < 3 || steps.isEmpty() ? Optional.empty() : Optional.of(TwoChanges.of(evidence, one)));
    }

    /** As {@link Belief#posterior}. */
    public List<Double> posterior(List<Step> steps) {
        return posterior(ofOne(new BisectionEvidence(this, steps)));
    }

    private static List<Double> posterior(double[] ofOne) {
        return Arrays.stream(BisectionEvidence.shares(ofOne)).boxed().toList();
    }

    /** ln of how probable the steps are if one change came with build 1, 2 and so on. */
    private double[] ofOne(BisectionEvidence evidence) {
        double[] changed = IntStream.rangeClosed(0, evidence.steps())
                .mapToDouble(evidence::changed)
                .toArray();
        return IntStream.range(1, builds)
                .map(evidence::before)
                .mapToDouble(before -> evidence.unchanged(before) + changed[before])
                .toArray();
    }

    /** Has all changes for certain: measured once more, it shows the level after them, which the rerun overstates. */
    public int lastBuild() {
        return builds - 1;
    }

    /** The smallest set of builds that holds {@link #MASS}, the most probable first. */
    public static List<Integer> credible(List<Double> posterior) {
        List<Integer> order = new ArrayList<>(
                IntStream.rangeClosed(1, posterior.size()).boxed().toList());
        order.sort(Comparator.comparingDouble((Integer build) -> -posterior.get(build - 1)));
        double mass = 0;
        for (int i = 0; i < order.size(); i++) {
            mass += posterior.get(order.get(i) - 1);
            if (mass >= MASS) {
                return List.copyOf(order.subList(0, i + 1));
            }
        }
        return List.copyOf(order);
    }

    /** The build whose measurement is expected to tell most; empty: one is left, or no step would tell anything. */
    public OptionalInt next(List<Double> posterior, Set<Integer> leftOut) {
        if (credible(posterior).size() == 1) {
            return OptionalInt.empty();
        }
        BisectionGain gain = new BisectionGain(rerun, blocks);
        int best = 0;
        double most = LEAST_GAIN;
        double share = 0;
        for (int build = 1; build < builds - 1; build++) {
            share += posterior.get(build - 1);
            if (leftOut.contains(build) || BisectionGain.most(share) <= most) {
                continue;
            }
            double bits = gain.bits(share);
            if (bits > most) {
                most = bits;
                best = build;
            }
        }
        return best == 0 ? OptionalInt.empty() : OptionalInt.of(best);
    }

    /** Steps that it takes in the mean, roughly: what is to be learnt over what a step can teach, and the last build once more. */
    public int expectedSteps() {
        double bits = StrictMath.log(builds - 1.0) / StrictMath.log(2);
        return 1 + (int) StrictMath.max(1, StrictMath.ceil(bits / new BisectionGain(rerun, blocks).bits(0.5)));
    }

    /** The search ends after this many steps. */
    public int mostSteps() {
        return 2 * expectedSteps();
    }
}
