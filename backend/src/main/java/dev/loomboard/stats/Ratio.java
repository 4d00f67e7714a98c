package dev.loomboard.stats;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Candidate ÷ baseline as the ratio of geometric means of their trials, with Welch's 95 % interval on the ln scale.
 *
 * @param low null with {@code high}: fewer than two trials on a side, so there is no interval
 */
public record Ratio(
        double ratio, @Nullable Double low, @Nullable Double high) {

    /** Empty when a side has no trial or a value is not positive: then there is no ratio. */
    public static Optional<Ratio> welch(List<Double> baseline, List<Double> candidate) {
        if (baseline.isEmpty() || candidate.isEmpty() || !positive(baseline) || !positive(candidate)) {
            return Optional.empty();
        }
        return Optional.of(of(Moments.of(baseline, Scale.LN), Moments.of(candidate, Scale.LN)));
    }

    private static Ratio of(Moments a, Moments b) {
        double difference = b.mean() - a.mean();
        double ratio = StrictMath.exp(difference);
        if (a.count() < 2 || b.count() < 2) {
            return new Ratio(ratio, null, null);
        }
        double half = Welch.of(a, b).half();
        return new Ratio(ratio, StrictMath.exp(difference - half), StrictMath.exp(difference + half));
    }

    private static boolean positive(List<Double> values) {
        return values.stream().allMatch(v -> v > 0);
    }
}
