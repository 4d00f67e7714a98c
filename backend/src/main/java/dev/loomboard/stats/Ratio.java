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

    /**
     * Geometric mean of ratios of different cells, each counting once. They are independent, so half the interval is the
     * root of the sum of squares of theirs, over their number: with few trials a little wide, since theirs are.
     *
     * @return without interval where any of them has none; empty: there are none
     */
    public static Optional<Ratio> mean(List<Ratio> ratios) {
        if (ratios.isEmpty()) {
            return Optional.empty();
        }
        double sum = 0;
        double squares = 0;
        boolean sure = true;
        for (Ratio each : ratios) {
            sum += StrictMath.log(each.ratio);
            if (each.low == null || each.high == null) {
                sure = false;
            } else {
                double half = (StrictMath.log(each.high) - StrictMath.log(each.low)) / 2;
                squares += half * half;
            }
        }
        double mean = sum / ratios.size();
        double half = StrictMath.sqrt(squares) / ratios.size();
        return Optional.of(
                sure
                        ? new Ratio(StrictMath.exp(mean), StrictMath.exp(mean - half), StrictMath.exp(mean + half))
                        : new Ratio(StrictMath.exp(mean), null, null));
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
