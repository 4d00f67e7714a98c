package dev.loomboard.stats;

import java.util.List;
import java.util.Optional;

/**
 * One ratio of several runs of the same pair, each run with an effect of its own about it (random effects). The variance between
 * runs is Paule and Mandel's (Journal of Research of the National Bureau of Standards 1982), found by Newton's steps (DerSimonian
 * and Kacker, Contemporary Clinical Trials 2007). The interval is Hartung, Knapp, Sidik and Jonkman's, modified so that it is
 * never narrower than one without a variance between runs (Röver, Knapp and Friede, BMC Medical Research Methodology 2015): with
 * Paule and Mandel's variance its error is 1/√Σw, with t of one degree of freedom less than there are runs.
 *
 * <p>Of each run the few blocks hardly tell their own variance, and weights by it make the interval too narrow: of ten runs of three
 * blocks it covers 88 %. They are blocks of the same cells on the same host, so one variance of a block is taken from all runs.
 *
 * @param low lower end of the 95 % interval: of two runs it is very wide, since two hardly tell how far runs differ
 * @param spread standard deviation between runs beyond what their blocks explain, on the ln scale; 0: they explain all
 */
public record PooledRatio(int runs, double ratio, double low, double high, double spread) {

    /** A step that moves the variance by less is none. */
    private static final double CLOSE = 1e-12;

    /**
     * What a run found.
     *
     * @param blocks that its ratio is the mean of
     */
    public record Run(RatioMean.Cell found, int blocks) {
        private double squares() {
            return found.freedom() * blocks * found.error() * found.error();
        }
    }

    /** Empty: fewer than two runs, or none of them shows how blocks vary. */
    public static Optional<PooledRatio> of(List<Run> runs) {
        double squares = 0;
        double freedom = 0;
        for (Run run : runs) {
            squares += run.squares();
            freedom += run.found().freedom();
        }
        if (runs.size() < 2 || !(squares > 0)) {
            return Optional.empty();
        }
        double variance = squares / freedom;
        return Optional.of(of(
                runs.stream()
                        .mapToDouble(run -> StrictMath.log(run.found().ratio()))
                        .toArray(),
                runs.stream().mapToDouble(run -> variance / run.blocks()).toArray()));
    }

    /**
     * @param effects on the ln scale, two at least
     * @param variances of their errors, above 0
     */
    static PooledRatio of(double[] effects, double[] variances) {
        double between = between(effects, variances);
        Weighted mean = Weighted.of(effects, variances, between);
        double half = Mean.critical(effects.length - 1.0) / StrictMath.sqrt(mean.weights);
        return new PooledRatio(
                effects.length,
                StrictMath.exp(mean.mean),
                StrictMath.exp(mean.mean - half),
                StrictMath.exp(mean.mean + half),
                StrictMath.sqrt(between));
    }

    /** Where the weighted squares are as many as degrees of freedom. They fall ever more slowly, so no step goes beyond it. */
    private static double between(double[] effects, double[] variances) {
        double between = 0;
        while (true) {
            Weighted at = Weighted.of(effects, variances, between);
            double step = (at.squares - (effects.length - 1)) / at.fall;
            if (!(step > between * CLOSE)) {
                return between;
            }
            between += step;
        }
    }

    /**
     * @param squares of the distances to the mean, weighted
     * @param fall by how much these fall when the variance between runs rises
     */
    private record Weighted(double mean, double weights, double squares, double fall) {
        static Weighted of(double[] effects, double[] variances, double between) {
            double weights = 0;
            double sum = 0;
            for (int i = 0; i < effects.length; i++) {
                double weight = 1 / (variances[i] + between);
                weights += weight;
                sum += weight * effects[i];
            }
            double mean = sum / weights;
            double squares = 0;
            double fall = 0;
            for (int i = 0; i < effects.length; i++) {
                double weight = 1 / (variances[i] + between);
                double off = effects[i] - mean;
                squares += weight * off * off;
                fall += weight * weight * off * off;
            }
            return new Weighted(mean, weights, squares, fall);
        }
    }
}
