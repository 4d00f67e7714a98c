package dev.loomboard.view;

import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The axis that all intervals of one column share: from a metric's value to a place in an SVG of {@link #WIDTH}. */
public record IntervalAxis(double from, double to) {

    public static final int WIDTH = 200;

    private static final double MARGIN = 0.06;
    private static final int INSET = 6;

    public IntervalAxis {
        if (!(to > from)) {
            throw new IllegalArgumentException("axis must rise, goes from " + from + " to " + to);
        }
    }

    /** Wide enough for every value; a column of one value gets a tenth to either side. */
    public static IntervalAxis over(Collection<@Nullable Double> values) {
        double least = values.stream()
                .filter(Objects::nonNull)
                .mapToDouble(v -> v)
                .min()
                .orElse(0);
        double most = values.stream()
                .filter(Objects::nonNull)
                .mapToDouble(v -> v)
                .max()
                .orElse(1);
        if (most <= least) {
            double half = least == 0 ? 1 : Math.abs(least) / 10;
            return new IntervalAxis(least - half, least + half);
        }
        double margin = (most - least) * MARGIN;
        return new IntervalAxis(least >= 0 ? Math.max(0, least - margin) : least - margin, most + margin);
    }

    /** Place on the axis, in SVG units with one decimal. */
    public String x(double value) {
        double share = Math.clamp((value - from) / (to - from), 0, 1);
        return Format.fixed(INSET + share * (WIDTH - 2 * INSET), 1);
    }
}
