package dev.loomboard.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.CauchyDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Which of several builds in a row brought a change that is known to lie between the first and the last of them. Build 0 is
 * the last good one, the last has the change for certain, and one in between is measured against build 0 at a time. A build
 * either has no effect or the rerun's, so what is believed of the place is updated by two predictive Student densities: both
 * means and the spread are estimates (the spread is pooled with the rerun's, and never less than the step's own: hosts have
 * noisier minutes), and a share of the steps ({@link #LAPSE}) is allowed to be about something else.
 *
 * @param rerun the last build against build 0: mean and spread of a block's difference on the metric's scale
 * @param builds with both ends; the change came with one of builds 1 to builds − 1
 * @param blocks of a step
 */
public record Bisection(Blocks rerun, int builds, int blocks) {

    /** Posterior mass that the credible set holds. */
    public static final double MASS = 0.95;
    /** Share of steps that measured something else: no single one is believed further than that. */
    static final double LAPSE = 0.01;
    /** Standard errors of a step by which "before" and "after" are to lie apart. */
    static final double APART = 4;

    static final int LEAST_BLOCKS = 4;
    static final int MOST_BLOCKS = 20;
    /** Bits: a step that would tell less is not made. */
    static final double LEAST_GAIN = 0.02;
    /** No spread is believed to be smaller than this share of the effect. */
    private static final double LEAST_SPREAD = 0.01;

    private static final int STEPS = 300;
    private static final double REACH = 12;

    /**
     * Paired blocks.
     *
     * @param mean of the differences on the scale; @param spread standard deviation of one of them
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

    /** @param build from 1 to builds − 2: neither end is measured again */
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

    /** How probable it is that the change came with build 1, 2 and so on; each alike before the first step. */
    public List<Double> posterior(List<Step> steps) {
        double[] logs = new double[builds - 1];
        for (Step step : steps) {
            Densities at = densities(step.measured().count(), step.measured());
            double before = StrictMath.log(at.before(step.measured().mean()));
            double after = StrictMath.log(at.after(step.measured().mean()));
            for (int i = 0; i < logs.length; i++) {
                logs[i] += i + 1 <= step.build() ? after : before;
            }
        }
        double most =
                IntStream.range(0, logs.length).mapToDouble(i -> logs[i]).max().orElseThrow();
        double sum = 0;
        for (int i = 0; i < logs.length; i++) {
            logs[i] = StrictMath.exp(logs[i] - most);
            sum += logs[i];
        }
        List<Double> posterior = new ArrayList<>();
        for (double likelihood : logs) {
            posterior.add(likelihood / sum);
        }
        return List.copyOf(posterior);
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
        Gain gain = new Gain(densities(blocks, null));
        int best = 0;
        double most = LEAST_GAIN;
        double share = 0;
        for (int build = 1; build < builds - 1; build++) {
            share += posterior.get(build - 1);
            if (leftOut.contains(build) || Gain.most(share) <= most) {
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

    /** Steps that it takes in the mean, roughly: what is to be learnt over what a step can teach. */
    public int expectedSteps() {
        double bits = StrictMath.log(builds - 1.0) / StrictMath.log(2);
        return (int) StrictMath.max(1, StrictMath.ceil(bits / new Gain(densities(blocks, null)).bits(0.5)));
    }

    /** After so many it ends, whatever is known then. */
    public int mostSteps() {
        return 2 * expectedSteps() + 1;
    }

    /** @param measured null: not yet, so the spread is known from the rerun alone */
    private Densities densities(int count, @Nullable Blocks measured) {
        double freedom = rerun.count() - 1.0;
        double squares = freedom * rerun.spread() * rerun.spread();
        double least = LEAST_SPREAD * StrictMath.abs(rerun.mean());
        if (measured != null) {
            freedom += count - 1.0;
            squares += (count - 1.0) * measured.spread() * measured.spread();
            least = StrictMath.max(least, measured.spread()); // its minutes may have been noisier than the rerun's
        }
        double spread = StrictMath.max(StrictMath.sqrt(squares / freedom), least);
        return new Densities(
                TDistribution.of(freedom),
                CauchyDistribution.of(rerun.mean() / 2, StrictMath.abs(rerun.mean())),
                rerun.mean(),
                spread * StrictMath.sqrt(1.0 / count),
                spread * StrictMath.sqrt(1.0 / count + 1.0 / rerun.count()));
    }

    /** Of a step's mean, if its build has the change and if not. */
    private record Densities(
            TDistribution t, CauchyDistribution other, double effect, double errorBefore, double errorAfter) {
        double before(double mean) {
            return mixed(mean, t.density(mean / errorBefore) / errorBefore);
        }

        double after(double mean) {
            return mixed(mean, t.density((mean - effect) / errorAfter) / errorAfter);
        }

        private double mixed(double mean, double density) {
            return (1 - LAPSE) * density + LAPSE * other.density(mean);
        }
    }

    /** Expected information of a step in bits, by Simpson's rule over what it may measure. */
    private static final class Gain {
        private final double[] before = new double[STEPS + 1];
        private final double[] after = new double[STEPS + 1];
        private final double step;

        Gain(Densities at) {
            double low = StrictMath.min(0, at.effect()) - REACH * at.errorAfter();
            double high = StrictMath.max(0, at.effect()) + REACH * at.errorAfter();
            step = (high - low) / STEPS;
            for (int i = 0; i <= STEPS; i++) {
                before[i] = at.before(low + i * step);
                after[i] = at.after(low + i * step);
            }
        }

        /** What a step without noise would tell. */
        static double most(double share) {
            return share <= 0 || share >= 1
                    ? 0
                    : -(share * StrictMath.log(share) + (1 - share) * StrictMath.log1p(-share)) / StrictMath.log(2);
        }

        /** @param share how probable it is that the build has the change */
        double bits(double share) {
            double sum = 0;
            for (int i = 0; i <= STEPS; i++) {
                double mixed = share * after[i] + (1 - share) * before[i];
                double told = share * after[i] * StrictMath.log(after[i] / mixed)
                        + (1 - share) * before[i] * StrictMath.log(before[i] / mixed);
                sum += (i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2) * told;
            }
            return sum * step / 3 / StrictMath.log(2);
        }
    }
}
