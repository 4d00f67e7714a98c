package dev.loomboard.stats.bisection;

import dev.loomboard.stats.bisection.Bisection.Blocks;
import java.util.List;
import org.apache.commons.statistics.distribution.CauchyDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * How the mean of a bisection's step spreads about the level of its build: Student's t, but for a share of {@link #LAPSE} that is
 * about something else.
 *
 * @param other density of what a lapse measures
 * @param error of the step's mean
 */
record StepNoise(TDistribution t, CauchyDistribution other, double error) {

    /** Share of steps that measured something else: no single one is believed further than that. */
    static final double LAPSE = 0.01;
    /** No spread is believed to be smaller than this share of the effect. */
    private static final double LEAST_SPREAD = 0.01;

    /** @param measured null: not yet, so the spread is known from the rerun alone */
    static StepNoise of(Blocks rerun, int count, @Nullable Blocks measured) {
        double freedom = rerun.count() - 1.0;
        double squares = freedom * rerun.spread() * rerun.spread();
        double least = LEAST_SPREAD * StrictMath.abs(rerun.mean());
        if (measured != null) {
            freedom += count - 1.0;
            squares += (count - 1.0) * measured.spread() * measured.spread();
            least = StrictMath.max(least, measured.spread()); // its minutes may have been noisier than the rerun's
        }
        double spread = StrictMath.max(StrictMath.sqrt(squares / freedom), least);
        return new StepNoise(
                TDistribution.of(freedom),
                CauchyDistribution.of(rerun.mean() / 2, StrictMath.abs(rerun.mean())),
                spread / StrictMath.sqrt(count));
    }

    /** Of the rerun's own mean. */
    static double error(Blocks rerun) {
        double spread = StrictMath.max(rerun.spread(), LEAST_SPREAD * StrictMath.abs(rerun.mean()));
        return spread / StrictMath.sqrt(rerun.count());
    }

    double density(double mean, double level) {
        return density(mean, level, error);
    }

    /** ln of the density of a mean about each of the levels. */
    double[] logDensities(double mean, List<Double> levels) {
        double lapse = LAPSE * other.density(mean);
        return levels.stream()
                .mapToDouble(level -> StrictMath.log((1 - LAPSE) * t.density((mean - level) / error) / error + lapse))
                .toArray();
    }

    /**
     * About a level that is itself uncertain.
     *
     * @param wide error of both together
     */
    double density(double mean, double level, double wide) {
        return (1 - LAPSE) * t.density((mean - level) / wide) / wide + LAPSE * other.density(mean);
    }
}
