package dev.loomboard.picture;

import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * From values to places in a picture.
 *
 * @param low value at {@code from}
 * @param high value at {@code to}
 */
record Axis(double low, double high, boolean log, double from, double to) {

    /** A step between ticks is one of these times a power of ten. */
    private static final double[] STEPS = {1, 2, 5, 10};

    /** Above and below the values, where the axis does not start at zero. */
    private static final double GRACE = 0.08;

    /** To either side of a value that is the only one. */
    private static final double ALONE = 0.1;

    /** @param text as it is written beside the axis */
    record Tick(double at, String text) {}

    Axis {
        if (!(high > low) || log && low <= 0) {
            throw new IllegalArgumentException("an axis must rise, goes from " + low + " to " + high);
        }
    }

    /** With room above and below; of no value at all it goes to 1. */
    static Axis over(double[] values, boolean fromZero, double from, double to) {
        double least = DoubleStream.of(values).min().orElse(0);
        double most = DoubleStream.of(values).max().orElse(1);
        if (fromZero && least >= 0) {
            return new Axis(0, most > 0 ? most * (1 + GRACE) : 1, false, from, to);
        }
        double room = most > least ? GRACE * (most - least) : most == 0 ? 1 : ALONE * StrictMath.abs(most);
        return new Axis(least - room, most + room, false, from, to);
    }

    double place(double value) {
        double share = log
                ? StrictMath.log(StrictMath.max(value, low) / low) / StrictMath.log(high / low)
                : (value - low) / (high - low);
        return from + share * (to - from);
    }

    /** Round values along it, a few of them. */
    List<Tick> ticks(int most) {
        double step = step(most);
        int decimals = (int) StrictMath.max(0, -StrictMath.floor(StrictMath.log10(step) + 1e-9));
        List<Tick> ticks = new ArrayList<>();
        for (long i = (long) StrictMath.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-12); i++) {
            ticks.add(new Tick(i * step, Format.decimals(i * step, decimals)));
        }
        return ticks;
    }

    private double step(int most) {
        double least = (high - low) / most;
        double power = StrictMath.pow(10, StrictMath.floor(StrictMath.log10(least)));
        for (double step : STEPS) {
            if (step * power >= least) {
                return step * power;
            }
        }
        return STEPS[STEPS.length - 1] * power;
    }
}
