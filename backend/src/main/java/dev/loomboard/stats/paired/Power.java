package dev.loomboard.stats.paired;

import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * How often a t test, or two one-sided ones, would decide: the noncentral t distribution, integrated over the
 * estimate of the spread by Simpson's rule. Shifts and margins are in standard errors of the difference.
 */
public final class Power {

    /** What plans are made for. */
    public static final double WANTED = 0.8;
    /** Above this number more trials are not realistic. */
    public static final int MOST_BLOCKS = 1_000;

    private static final int STEPS = 200;
    /** Few degrees of freedom have critical values so high that what is integrated falls steeply. */
    private static final int STEPS_OF_FEW = 1000;

    private static final int FEW = 10;
    private static final double TAIL = 1e-10;
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    private Power() {}

    /** Of a verdict, a two-sided test at {@code alpha} that asks for a difference of {@code least} besides; in standard errors. */
    public static double ofVerdict(double shift, double least, double freedom, double alpha) {
        double critical = TDistribution.of(freedom).inverseSurvivalProbability(alpha / 2);
        return overSpread(
                freedom,
                w -> NORMAL.cumulativeProbability(shift - StrictMath.max(critical * w, least))
                        + NORMAL.cumulativeProbability(-shift - StrictMath.max(critical * w, least)));
    }

    /** That the 90 % interval lies within ± {@code margin}. */
    public static double ofEquivalence(double shift, double margin, double freedom) {
        double critical = TDistribution.of(freedom).inverseSurvivalProbability(0.05);
        return overSpread(freedom, w -> {
            double room = margin - critical * w;
            return room <= 0
                    ? 0
                    : NORMAL.cumulativeProbability(room - shift) - NORMAL.cumulativeProbability(-room - shift);
        });
    }

    /**
     * The smallest true difference that {@code blocks} paired blocks show at {@code alpha} in {@link #WANTED} of cases;
     * on the scale and in the unit of {@code spread}, the standard deviation of a block's difference.
     */
    public static double detectable(double spread, int blocks, double alpha) {
        if (blocks < 2) {
            throw new IllegalArgumentException("two blocks are the least that has a spread, there are " + blocks);
        }
        return shift(blocks - 1.0, alpha) * spread / StrictMath.sqrt(blocks);
    }

    /** The smallest shift, in standard errors, that is shown at {@code alpha} in {@link #WANTED} of cases. */
    public static double shift(double freedom, double alpha) {
        return shift(0, freedom, alpha);
    }

    /** The same of a verdict, which asks for a difference of {@code least} standard errors besides. */
    public static double shift(double least, double freedom, double alpha) {
        double low = 0;
        double high = 1;
        while (ofVerdict(high, least, freedom, alpha) < WANTED) {
            high *= 2;
        }
        for (int i = 0; i < 40; i++) {
            double middle = (low + high) / 2;
            if (ofVerdict(middle, least, freedom, alpha) < WANTED) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The fewest blocks for which it is enough; 0 when {@link #MOST_BLOCKS} are not. More must never be worse. */
    static int blocks(IntPredicate enough) {
        int high = Effect.LEAST_BLOCKS;
        while (!enough.test(high)) {
            if (high == MOST_BLOCKS) {
                return 0;
            }
            high = StrictMath.min(high * 2, MOST_BLOCKS);
        }
        int low = Effect.LEAST_BLOCKS - 1;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (enough.test(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** Mean of f(w) over w = estimated ÷ true standard deviation. */
    private static double overSpread(double freedom, DoubleUnaryOperator f) {
        ChiSquaredDistribution squares = ChiSquaredDistribution.of(freedom);
        double low = StrictMath.sqrt(squares.inverseCumulativeProbability(TAIL) / freedom);
        double high = StrictMath.sqrt(squares.inverseSurvivalProbability(TAIL) / freedom);
        int steps = freedom < FEW ? STEPS_OF_FEW : STEPS;
        double step = (high - low) / steps;
        double sum = 0;
        for (int i = 0; i <= steps; i++) {
            double w = low + i * step;
            double density = squares.density(w * w * freedom) * 2 * w * freedom;
            sum += (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * density * f.applyAsDouble(w);
        }
        return sum * step / 3;
    }
}
