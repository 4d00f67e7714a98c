package dev.loomboard.stats;

import java.util.List;

/**
 * How much a series' points repeat the one before: lag 1, over a long history, within its levels, because a step would
 * look like it.
 */
public final class Autocorrelation {

    /** Above it a night is worth a twentieth of an independent one and nothing could ever be confirmed. */
    public static final double MOST = 0.9;
    /** Fewer say nothing: of 5 points that correlate by 0.5 the estimate is about −0.04. */
    public static final int LEAST_POINTS = 30;

    private Autocorrelation() {}

    /**
     * Between 0 and {@link #MOST}, corrected for its bias of −(1+3r)/n per level (Marriott and Pope, Biometrika 1954). With
     * fewer than {@link #LEAST_POINTS} it is unknown, and the worst is assumed.
     *
     * @param levels the points between change points, in the order of the series
     */
    public static double of(List<double[]> levels) {
        double products = 0;
        double squares = 0;
        int points = 0;
        int used = 0;
        for (double[] level : levels) {
            if (level.length < 2) {
                continue; // its mean is all it has
            }
            double mean = mean(level);
            for (int i = 0; i < level.length; i++) {
                double off = level[i] - mean;
                squares += off * off;
                products += i == 0 ? 0 : off * (level[i - 1] - mean);
            }
            points += level.length;
            used++;
        }
        if (points < LEAST_POINTS || 3 * used >= points) {
            return MOST;
        }
        if (squares == 0) {
            return 0;
        }
        double perPoint = (double) used / points;
        double corrected = (products / squares + perPoint) / (1 - 3 * perPoint);
        return StrictMath.min(MOST, StrictMath.max(0, corrected));
    }

    /** How many independent points {@code count} are worth: n(1−r)/(1+r). */
    public static double effective(int count, double r) {
        return count * (1 - r) / (1 + r);
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
