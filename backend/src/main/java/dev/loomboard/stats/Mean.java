package dev.loomboard.stats;

import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * The mean of trials with its 95 % t interval, made on a scale and given in the metric's unit.
 *
 * @param low null with {@code high}: fewer than two trials, so the spread is unknown, not zero
 */
public record Mean(
        double mean, @Nullable Double low, @Nullable Double high) {

    static final double OUTSIDE = 0.05;

    /** Empty on the ln scale when a value is not positive: there is no such mean. */
    public static Optional<Mean> of(Scale scale, List<Double> values) {
        return of(scale, values, values.size());
    }

    /**
     * Where the spread of the first values decided how many there are, it alone gives the interval, as of {@code Effect}; the mean
     * is of all.
     *
     * @param first how many decided; fewer than two, or all: all tell the spread
     */
    public static Optional<Mean> of(Scale scale, List<Double> values, int first) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("a mean needs at least one value");
        }
        if (scale == Scale.LN && values.stream().anyMatch(v -> v <= 0)) {
            return Optional.empty();
        }
        if (values.size() == 1) {
            return Optional.of(new Mean(values.getFirst(), null, null));
        }
        Moments moments = Moments.of(values, scale);
        Moments spread = first < 2 || first >= values.size() ? moments : Moments.of(values.subList(0, first), scale);
        double half = critical(spread.count() - 1.0) * StrictMath.sqrt(spread.variance() / values.size());
        return Optional.of(new Mean(
                scale.from(moments.mean()), scale.from(moments.mean() - half), scale.from(moments.mean() + half)));
    }

    /** The two-sided 95 % point of Student's t. */
    public static double critical(double degreesOfFreedom) {
        return TDistribution.of(degreesOfFreedom).inverseSurvivalProbability(OUTSIDE / 2);
    }
}
