package dev.loomboard.stats.change;

import dev.loomboard.stats.Autocorrelation;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Moments;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.Welch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Whether a suspected change is confirmed by its history alone ({@code /methodology#histories}): by Welch's test (Biometrika 1947) with as many points as they
 * are independently worth, also without the point that speaks most for it. Meant once per suspect, not every night.
 *
 * @param change after against before: a ratio − 1 on the ln scale, else in the metric's unit
 * @param p two-sided; null: too few points to test
 * @param without the greatest p that is left when one point is dropped; null as {@code p}
 * @param reason why not; null: it is confirmed
 */
public record Confirmation(
        double change,
        @Nullable Double p,
        @Nullable Double without,
        @Nullable String reason) {

    /** Points that a level needs. */
    public static final int LEAST_POINTS = 5;

    public static final double ALPHA = 1e-4;

    public boolean confirmed() {
        return reason == null;
    }

    /**
     * @param before points of the level before in the order of the series, in the metric's unit
     * @param after the same
     * @param r of {@link Autocorrelation}, of the series' machine and metric
     */
    public static Confirmation of(Margin margin, List<Double> before, List<Double> after, double r) {
        if (before.isEmpty() || after.isEmpty()) {
            throw new IllegalArgumentException("a change needs a point on each side");
        }
        Scale scale = margin.scale();
        Moments left = Moments.of(before, scale);
        Moments right = Moments.of(after, scale);
        double difference = right.mean() - left.mean();
        double change = margin.outward(difference);
        if (before.size() < LEAST_POINTS || after.size() < LEAST_POINTS) {
            return new Confirmation(change, null, null, tooFew(before.size(), after.size()));
        }
        OptionalDouble p = p(left, right, r);
        OptionalDouble without = withoutOne(scale, before, after, r);
        if (p.isEmpty() || without.isEmpty()) {
            return new Confirmation(change, null, null, tooAlike(before.size(), after.size(), r));
        }
        boolean small = StrictMath.abs(difference) < margin.between(scale.from(left.mean()), scale.from(right.mean()));
        String reason = reason(small, p.getAsDouble(), without.getAsDouble());
        return new Confirmation(change, p.getAsDouble(), without.getAsDouble(), reason);
    }

    private static @Nullable String reason(boolean small, double p, double without) {
        List<String> reasons = new ArrayList<>();
        if (small) {
            reasons.add("the change is smaller than matters");
        }
        if (!(p <= ALPHA)) {
            reasons.add(String.format(Locale.ROOT, "p is %.2g, at most %.0e is needed", p, ALPHA));
        } else if (!(without <= ALPHA)) {
            reasons.add(String.format(Locale.ROOT, "it rests on one point, without which p is %.2g", without));
        }
        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    private static String tooFew(int before, int after) {
        return "%d points before and %d after, %d are needed on each side".formatted(before, after, LEAST_POINTS);
    }

    private static String tooAlike(int before, int after, double r) {
        return String.format(
                Locale.ROOT,
                "points are autocorrelated (r = %.2f): %d and %d of them are worth %.1f and %.1f",
                r,
                before,
                after,
                Autocorrelation.effective(before, r),
                Autocorrelation.effective(after, r));
    }

    private static OptionalDouble withoutOne(Scale scale, List<Double> before, List<Double> after, double r) {
        Moments left = Moments.of(before, scale);
        Moments right = Moments.of(after, scale);
        double most = 0;
        for (int i = 0; i < before.size() + after.size(); i++) {
            OptionalDouble p = i < before.size()
                    ? p(Moments.of(without(before, i), scale), right, r)
                    : p(left, Moments.of(without(after, i - before.size()), scale), r);
            if (p.isEmpty()) {
                return p;
            }
            most = StrictMath.max(most, p.getAsDouble());
        }
        return OptionalDouble.of(most);
    }

    private static List<Double> without(List<Double> values, int index) {
        List<Double> rest = new ArrayList<>(values);
        rest.remove(index);
        return rest;
    }

    private static OptionalDouble p(Moments left, Moments right, double r) {
        double l = Autocorrelation.effective(left.count(), r);
        double a = Autocorrelation.effective(right.count(), r);
        return l > 1 && a > 1 ? OptionalDouble.of(Welch.of(left, l, right, a).p()) : OptionalDouble.empty();
    }
}
