package dev.loomboard.stats;

/**
 * How much of a difference matters, as the metric catalogue declares it ({@code /methodology#margins}).
 *
 * @param delta as a share, at least 0
 * @param floor in the metric's unit, at least 0: less than this never matters, whatever share it is. For latencies 50 µs
 */
public record Margin(Scale scale, double delta, double floor) {

    /** Of latencies, in ms: a fourfold change of 0.7 ms beside 100 ms of sleep is one, a fourfold change of 10 µs is none. */
    public static final double LATENCY_FLOOR_MS = 0.05;

    public Margin {
        if (!(delta >= 0 && Double.isFinite(delta)) || !(floor >= 0 && Double.isFinite(floor))) {
            throw new IllegalArgumentException(
                    "delta and floor must be at least 0 and finite, are " + delta + " and " + floor);
        }
    }

    /**
     * Between two means in the metric's unit, on the scale: δ or the floor, whichever is more, of the smaller mean; so
     * it is the same when the sides are exchanged.
     */
    public double between(double one, double other) {
        double smaller = StrictMath.min(StrictMath.abs(one), StrictMath.abs(other));
        return switch (scale) {
            case LN -> StrictMath.log1p(StrictMath.max(delta, floor / smaller));
            case IDENTITY -> StrictMath.max(delta * smaller, floor);
        };
    }

    /** Between two means, in the metric's unit. */
    public double inUnit(double one, double other) {
        double smaller = StrictMath.min(StrictMath.abs(one), StrictMath.abs(other));
        return StrictMath.max(delta * smaller, floor);
    }

    /** A difference on the scale as people read it: a ratio − 1 on the ln scale, else in the metric's unit. */
    public double outward(double difference) {
        return switch (scale) {
            case LN -> StrictMath.expm1(difference);
            case IDENTITY -> difference;
        };
    }
}
