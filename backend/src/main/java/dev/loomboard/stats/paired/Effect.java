package dev.loomboard.stats.paired;

import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Moments;
import dev.loomboard.stats.Scale;
import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Candidate against baseline by paired blocks: the mean of the differences within blocks on the metric's scale, with t
 * intervals of it (Georges et al., OOPSLA 2007). Differences are candidate − baseline on the scale: of ln
 * values, or in the metric's unit.
 *
 * @param baseline mean of its trials on the scale, in the metric's unit
 * @param candidate mean of its trials on the scale, in the metric's unit
 * @param difference mean over the blocks
 * @param error standard error of the difference
 * @param degrees of freedom of the error
 * @param p two-sided, that such a difference comes by chance (t test of the blocks)
 */
public record Effect(
        Scale scale,
        int blocks,
        double baseline,
        double candidate,
        double difference,
        double error,
        int degrees,
        double p) {

    /** Fewer say nothing of the spread. */
    public static final int LEAST_BLOCKS = 3;

    private static final double OUTSIDE_95 = 0.05;
    private static final double OUTSIDE_90 = 0.10;

    /** Low and high end of an interval, outwardly: a ratio on the ln scale, else in the metric's unit. */
    public record Interval(double low, double high) {}

    /** As {@link #of(Scale, List, int, double)} with the spread of all blocks. */
    public static Optional<Effect> of(Scale scale, List<Block> blocks) {
        return of(scale, blocks, blocks.size());
    }

    /** As {@link #of(Scale, List, int, double)} of values without a limited resolution. */
    public static Optional<Effect> of(Scale scale, List<Block> blocks, int pilot) {
        return of(scale, blocks, pilot, 0);
    }

    /**
     * In order of execution. Empty: fewer than three blocks, or on the ln scale a value that is not positive.
     *
     * <p>Where the spread of the first blocks decided how many there are, it alone gives the error: then interval and p hold exactly
     * (Stein, Annals of Mathematical Statistics 1945). With the spread of all of them a 95 % interval covers 92 %.
     *
     * <p>Values that fall into the same steps of an instrument seem to have no spread. Each lies anywhere within its step of width
     * h, which is a variance of h²/12 (Sheppard, Proc. London Math. Soc. 1898), so the difference of two has h²/6 at least.
     *
     * @param pilot how many blocks decided; fewer than three, or all: all tell the spread
     * @param resolution h, in the metric's unit; 0: finer than any difference
     */
    public static Optional<Effect> of(Scale scale, List<Block> blocks, int pilot, double resolution) {
        if (blocks.size() < LEAST_BLOCKS
                || scale == Scale.LN && blocks.stream().anyMatch(b -> !(b.baseline() > 0 && b.candidate() > 0))) {
            return Optional.empty();
        }
        List<Double> differences = blocks.stream()
                .map(b -> scale.to(b.candidate()) - scale.to(b.baseline()))
                .toList();
        Moments between = Moments.of(differences, Scale.IDENTITY);
        Moments spread = pilot < LEAST_BLOCKS || pilot >= blocks.size()
                ? between
                : Moments.of(differences.subList(0, pilot), Scale.IDENTITY);
        int degrees = spread.count() - 1;
        Moments baseline = Moments.of(blocks.stream().map(Block::baseline).toList(), scale);
        Moments candidate = Moments.of(blocks.stream().map(Block::candidate).toList(), scale);
        double one = scale.from(baseline.mean());
        double other = scale.from(candidate.mean());
        double step = new Margin(scale, 0, resolution).between(one, other);
        double error = StrictMath.sqrt(StrictMath.max(spread.variance(), step * step / 6) / between.count());
        return Optional.of(new Effect(
                scale, blocks.size(), one, other, between.mean(), error, degrees, p(between.mean(), error, degrees)));
    }

    /** A ratio on the ln scale, else in the metric's unit. */
    public double size() {
        return scale.from(difference);
    }

    /** Standard deviation of a block's difference, on the scale. */
    public double spread() {
        return error * StrictMath.sqrt(blocks);
    }

    /** 95 %: where the effect lies. */
    public Interval interval() {
        return interval(OUTSIDE_95);
    }

    /** 90 %: what equivalence is judged by, two one-sided tests at 5 %. */
    public Interval equivalence() {
        return interval(OUTSIDE_90);
    }

    /** Half of the 90 % interval, on the scale. */
    double halfOfEquivalence() {
        return half(OUTSIDE_90);
    }

    private Interval interval(double outside) {
        double half = half(outside);
        return new Interval(scale.from(difference - half), scale.from(difference + half));
    }

    private double half(double outside) {
        return error * TDistribution.of(degrees).inverseSurvivalProbability(outside / 2);
    }

    private static double p(double mean, double error, int degrees) {
        double size = StrictMath.abs(mean);
        if (error == 0) {
            return size > 0 ? 0 : 1;
        }
        return 2 * TDistribution.of(degrees).survivalProbability(size / error);
    }
}
