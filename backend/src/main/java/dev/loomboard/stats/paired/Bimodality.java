package dev.loomboard.stats.paired;

import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.DoubleStream;

/**
 * Trials that fall into two groups, as when the JIT compiler settles in one of two ways. The best division
 * in two is compared with that of as many normal values, drawn with a fixed seed (Engelman and Hartigan, JASA 1969).
 *
 * @param lower mean of the lower group on the scale, in the metric's unit
 * @param inLower how many trials it has
 * @param higher mean of the higher group
 * @param p that normal values divide as well
 */
public record Bimodality(double lower, int inLower, double higher, int inHigher, double p) {

    /** Fewer trials cannot tell two groups from noise. */
    public static final int LEAST_TRIALS = 5;
    /** One trial is an outlier, not a mode. */
    private static final int LEAST_IN_MODE = 2;

    private static final double ALPHA = 0.01;
    private static final int DRAWS = 1999;
    private static final long SEED = 20_261_121;

    private record Division(int at, double ratio) {}

    /** Empty: one group, or two that differ by less than matters, as an instrument's rounding makes them. */
    public static Optional<Bimodality> of(Margin margin, List<Double> values) {
        Scale scale = margin.scale();
        if (values.size() < LEAST_TRIALS || scale == Scale.LN && values.stream().anyMatch(v -> !(v > 0))) {
            return Optional.empty();
        }
        double[] sorted = values.stream().mapToDouble(scale::to).sorted().toArray();
        Division best = best(sorted);
        double lower = mean(sorted, 0, best.at());
        double higher = mean(sorted, best.at(), sorted.length);
        if (!(higher - lower > margin.between(scale.from(lower), scale.from(higher)))) {
            return Optional.empty();
        }
        double p = p(sorted.length, best.ratio());
        return p < ALPHA
                ? Optional.of(
                        new Bimodality(scale.from(lower), best.at(), scale.from(higher), sorted.length - best.at(), p))
                : Optional.empty();
    }

    private static double p(int count, double observed) {
        Random random = new Random(SEED);
        int beyond = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double[] normal =
                    DoubleStream.generate(random::nextGaussian).limit(count).toArray();
            Arrays.sort(normal);
            beyond += best(normal).ratio() >= observed ? 1 : 0;
        }
        return (1.0 + beyond) / (1 + DRAWS);
    }

    /** Where the squares between two groups are the most beside those within. */
    private static Division best(double[] sorted) {
        double mean = mean(sorted, 0, sorted.length);
        double all = 0;
        double[] sums = new double[sorted.length + 1];
        for (int i = 0; i < sorted.length; i++) {
            double off = sorted[i] - mean;
            all += off * off;
            sums[i + 1] = sums[i] + off;
        }
        Division best = new Division(LEAST_IN_MODE, -1);
        for (int at = LEAST_IN_MODE; at <= sorted.length - LEAST_IN_MODE; at++) {
            double between = sums[at] * sums[at] * sorted.length / (at * (double) (sorted.length - at));
            double within = all - between;
            double ratio = within > 0 ? between / within : Double.POSITIVE_INFINITY;
            best = ratio > best.ratio() ? new Division(at, ratio) : best;
        }
        return best;
    }

    private static double mean(double[] values, int start, int end) {
        double sum = 0;
        for (int i = start; i < end; i++) {
            sum += values[i];
        }
        return sum / (end - start);
    }
}
