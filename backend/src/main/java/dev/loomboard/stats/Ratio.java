package dev.loomboard.stats;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Candidate ÷ baseline as the ratio of geometric means of their trials, with Welch's 95 % interval on the ln scale.
 *
 * @param low null with {@code high}: fewer than two trials on a side, so there is no interval
 */
public record Ratio(double ratio, @Nullable Double low, @Nullable Double high) {

    /** Empty when a side has no trial or a value is not positive: then there is no ratio. */
    public static Optional<Ratio> welch(List<Double> baseline, List<Double> candidate) {
        if (baseline.isEmpty() || candidate.isEmpty() || !positive(baseline) || !positive(candidate)) {
            return Optional.empty();
        }
        return Optional.of(of(Moments.of(baseline, Scale.LN), Moments.of(candidate, Scale.LN)));
    }

    /**
     * The same from what is kept of two sets of trials: their means on the ln scale, whose intervals give the spread back
     * exactly. Empty when a mean is not positive.
     */
    public static Optional<Ratio> ofMeans(Mean baseline, int baselineTrials, Mean candidate, int candidateTrials) {
        if (!(baseline.mean() > 0) || !(candidate.mean() > 0)) {
            return Optional.empty();
        }
        return Optional.of(of(moments(baseline, baselineTrials), moments(candidate, candidateTrials)));
    }

    /** One trial, or no interval: the spread is unknown, which counts as one trial here. */
    private static Moments moments(Mean mean, int trials) {
        Double low = mean.low();
        Double high = mean.high();
        double centre = StrictMath.log(mean.mean());
        if (trials < 2 || low == null || high == null || !(low > 0)) {
            return new Moments(1, centre, 0);
        }
        double error = (StrictMath.log(high) - StrictMath.log(low)) / 2 / Mean.critical(trials - 1.0);
        return new Moments(trials, centre, error * error * trials);
    }

    private static Ratio of(Moments a, Moments b) {
        double difference = b.mean() - a.mean();
        double ratio = StrictMath.exp(difference);
        if (a.count() < 2 || b.count() < 2) {
            return new Ratio(ratio, null, null);
        }
        double half = half(a, b);
        return new Ratio(ratio, StrictMath.exp(difference - half), StrictMath.exp(difference + half));
    }

    /** Half of the interval; degrees of freedom by Welch and Satterthwaite. */
    private static double half(Moments a, Moments b) {
        double va = a.variance() / a.count();
        double vb = b.variance() / b.count();
        double both = va + vb;
        if (both == 0) {
            return 0; // every trial of a side gave the same number; 0 ÷ 0 degrees of freedom below
        }
        double freedom = both * both / (va * va / (a.count() - 1) + vb * vb / (b.count() - 1));
        return Mean.critical(freedom) * StrictMath.sqrt(both);
    }

    private static boolean positive(List<Double> values) {
        return values.stream().allMatch(v -> v > 0);
    }
}
