package dev.loomboard.stats.paired;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;

/**
 * The p that a two-sided test needs at each of several looks, so that all of them together are wrong no more often than one
 * test may be (Lan and DeMets, Biometrika 1983). By the share f of the planned data, α(f) = α · f² of the error is spent: the
 * power family of Kim and DeMets (Biometrika 1987) with exponent 2, which leaves most of it to the last look.
 *
 * <p>The looks see the same data grow, so what they spend overlaps. The boundaries come from the density of the sum that has not
 * crossed one yet, carried from look to look (Armitage, McPherson and Rowe, JRSS A 1969) by Simpson's rule.
 */
public final class AlphaSpending {

    /** Intervals of the grid on which the density lies: even. */
    private static final int GRID = 400;

    private static final int HALVINGS = 50;
    /** No boundary is this many standard deviations away from 0. */
    private static final double FAR = 9;

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    private AlphaSpending() {}

    /** Of {@code alpha}, when the share {@code fraction} of what was planned has been seen. From 0 to 1. */
    public static double spent(double alpha, double fraction) {
        double seen = StrictMath.max(0, StrictMath.min(1, fraction));
        return alpha * seen * seen;
    }

    /**
     * The two-sided p that each look needs.
     *
     * @param alpha of all looks together
     * @param fractions of what was planned, growing, from above 0 to 1
     */
    public static List<Double> needed(double alpha, List<Double> fractions) {
        List<Double> needed = new ArrayList<>();
        Going going = null;
        double spent = 0;
        double before = 0;
        for (double fraction : fractions) {
            if (!(fraction > before && fraction <= 1)) {
                throw new IllegalArgumentException("fractions must grow from above 0 to 1, are " + fractions);
            }
            double now = spent(alpha, fraction);
            double bound = bound(going, fraction - before, (now - spent) / 2);
            going = going(going, fraction - before, bound);
            needed.add(2 * NORMAL.survivalProbability(bound / StrictMath.sqrt(fraction)));
            spent = now;
            before = fraction;
        }
        return List.copyOf(needed);
    }

    /** The density of the sum over what no look has stopped: at equal steps from −bound to bound. */
    private record Going(double bound, double[] density) {
        double at(int i) {
            return bound * (2.0 * i / GRID - 1);
        }

        /** Simpson's weight times the density. */
        double mass(int i) {
            double weight = i == 0 || i == GRID ? 1 : i % 2 == 1 ? 4 : 2;
            return weight * density[i] * 2 * bound / GRID / 3;
        }
    }

    /** Where the sum, grown by so much information, lies above with probability {@code tail}. */
    private static double bound(@Nullable Going before, double more, double tail) {
        double low = 0;
        double high = FAR;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (above(before, more, middle) > tail) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private static double above(@Nullable Going before, double more, double bound) {
        double deviation = StrictMath.sqrt(more);
        if (before == null) {
            return NORMAL.survivalProbability(bound / deviation);
        }
        double sum = 0;
        for (int i = 0; i <= GRID; i++) {
            sum += before.mass(i) * NORMAL.survivalProbability((bound - before.at(i)) / deviation);
        }
        return sum;
    }

    private static Going going(@Nullable Going before, double more, double bound) {
        double deviation = StrictMath.sqrt(more);
        double[] density = new double[GRID + 1];
        Going after = new Going(bound, density);
        for (int i = 0; i <= GRID; i++) {
            if (before == null) {
                density[i] = NORMAL.density(after.at(i) / deviation) / deviation;
            } else {
                for (int j = 0; j <= GRID; j++) {
                    density[i] += before.mass(j) * NORMAL.density((after.at(i) - before.at(j)) / deviation) / deviation;
                }
            }
        }
        return after;
    }
}
