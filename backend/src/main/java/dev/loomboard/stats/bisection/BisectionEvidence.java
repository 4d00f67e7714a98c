package dev.loomboard.stats.bisection;

import dev.loomboard.stats.bisection.Bisection.Blocks;
import dev.loomboard.stats.bisection.Bisection.Step;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * How probable the steps of a bisection are, given where changes lie. Builds before the first change are at level 0. The level after
 * the last change is not known: it is integrated out, with the rerun as evidence and a prior of mean 0 and the rerun's sign, which
 * shrinks a rerun that was selected for its size (van Zwet and Cator 2021, The significance filter, the winner's curse and the need to
 * shrink). The variance of the prior is the one under which the rerun is most probable (empirical Bayes). A level between two changes
 * has a prior of the same variance and either sign.
 */
final class BisectionEvidence {

    /** Distance of the nodes of the integrals around the measured value, in standard errors: the trapezoid rule is exact to all digits there. */
    private static final double SPACING = 0.5;

    private static final double REACH = 8;
    private static final int WIDE = 16;

    private final List<Step> steps;
    private final List<Double> levels;
    /** Of a level: its share of the integral, ln. */
    private final double[] ofAfter;

    private final double[] ofBetween;
    /** Of a step and a level: its density there, ln. */
    private final double[][] densities;
    /** Of a step: its density at level 0, ln. */
    private final double[] atZero;

    BisectionEvidence(Bisection of, List<Step> measured) {
        steps = measured.stream().sorted(Comparator.comparingInt(Step::build)).toList();
        Blocks rerun = of.rerun();
        List<StepNoise> noises = steps.stream()
                .map(step -> StepNoise.of(rerun, step.measured().count(), step.measured()))
                .toList();
        double error = StepNoise.error(rerun);
        double deviation = deviation(rerun, error);
        levels = levels(rerun, error, deviation, noises);
        TDistribution t = TDistribution.of(rerun.count() - 1.0);
        ofAfter = new double[levels.size()];
        ofBetween = new double[levels.size()];
        densities = new double[steps.size()][];
        atZero = new double[steps.size()];
        for (int i = 0; i < levels.size(); i++) {
            double level = levels.get(i);
            ofBetween[i] = StrictMath.log(width(i)) - level * level / (2 * deviation * deviation);
            ofAfter[i] = level * rerun.mean() <= 0
                    ? Double.NEGATIVE_INFINITY
                    : ofBetween[i] + t.logDensity((rerun.mean() - level) / error);
        }
        normalise(ofAfter);
        normalise(ofBetween);
        for (int step = 0; step < steps.size(); step++) {
            double mean = steps.get(step).measured().mean();
            atZero[step] = StrictMath.log(noises.get(step).density(mean, 0));
            densities[step] = noises.get(step).logDensities(mean, levels);
        }
    }

    /** Of the prior: the rerun's variance without what its own error explains, and never less than that. */
    static double deviation(Blocks rerun, double error) {
        return StrictMath.sqrt(StrictMath.max(error * error, rerun.mean() * rerun.mean() - error * error));
    }

    private List<Double> levels(Blocks rerun, double error, double deviation, List<StepNoise> noises) {
        TreeSet<Double> nodes = new TreeSet<>();
        about(nodes, rerun.mean(), error, REACH);
        about(nodes, 0, deviation / WIDE / SPACING, 3.0 * WIDE * SPACING);
        for (int step = 0; step < noises.size(); step++) {
            about(nodes, steps.get(step).measured().mean(), noises.get(step).error(), REACH);
        }
        return List.copyOf(nodes);
    }

    private static void about(TreeSet<Double> nodes, double middle, double error, double reach) {
        int each = (int) StrictMath.ceil(reach / SPACING);
        for (int i = -each; i <= each; i++) {
            nodes.add(middle + i * SPACING * error);
        }
    }

    private double width(int i) {
        double below = levels.get(StrictMath.max(0, i - 1));
        double above = levels.get(StrictMath.min(levels.size() - 1, i + 1));
        return (above - below) / 2;
    }

    /** Steps of builds before one. */
    int before(int build) {
        int before = 0;
        while (before < steps.size() && steps.get(before).build() < build) {
            before++;
        }
        return before;
    }

    int steps() {
        return steps.size();
    }

    /** Of the given number of first steps, whose builds come before the change. */
    double unchanged(int steps) {
        double sum = 0;
        for (int step = 0; step < steps; step++) {
            sum += atZero[step];
        }
        return sum;
    }

    /** Of the steps from one on, whose builds have all changes. */
    double changed(int from) {
        return integral(ofAfter, from, steps.size());
    }

    /** Of the steps from one to before another, whose builds have one change of two. */
    double between(int from, int to) {
        return integral(ofBetween, from, to);
    }

    private double integral(double[] prior, int from, int to) {
        double[] parts = prior.clone();
        for (int step = from; step < to; step++) {
            for (int i = 0; i < parts.length; i++) {
                parts[i] += densities[step][i];
            }
        }
        return sum(parts);
    }

    private static void normalise(double[] logs) {
        double sum = sum(logs);
        for (int i = 0; i < logs.length; i++) {
            logs[i] -= sum;
        }
    }

    /** ln of the sum of what these are the logarithms of. */
    static double sum(double[] logs) {
        double most = Double.NEGATIVE_INFINITY;
        for (double log : logs) {
            most = StrictMath.max(most, log);
        }
        double sum = 0;
        for (double log : logs) {
            sum += StrictMath.exp(log - most);
        }
        return most + StrictMath.log(sum);
    }

    /** What they are the logarithms of, as shares of their sum. */
    static double[] shares(double[] logs) {
        double sum = sum(logs);
        return Arrays.stream(logs).map(log -> StrictMath.exp(log - sum)).toArray();
    }
}
