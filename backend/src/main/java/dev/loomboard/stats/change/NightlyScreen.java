package dev.loomboard.stats.change;

import java.util.List;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A loose look at each night, which only starts reruns. What is looked at is ln(new build ÷ control) of one night, turned so that
 * higher is worse: effects of the night on both cancel. It is compared with its values in the nights before, and with that of the
 * newest of them alone, which is the build before. A rise of either beyond the limit starts a rerun. The limit lets a night without
 * a change start as many reruns as its budget clears.
 *
 * @param limit in standard errors, with {@link #PAST} nights before
 */
public record NightlyScreen(double limit) {

    /** Nights before that tell what is usual, at most. */
    public static final int PAST = 20;
    /** With fewer nights nothing is screened. */
    public static final int LEAST_PAST = 5;
    /** Of a night, for reruns: eight hours. */
    public static final double BUDGET_SECONDS = 8 * 3600;
    /** Blocks after which a rerun of equal builds is cleared on average, at a launch spread of 2.5 %. */
    public static final int CLEARED = 26;
    /** Reruns that quiet nights start on average, at most: 2 500 a year are what the error of one is chosen for. */
    public static final int MOST_STARTS = 7;
    /** Share of quiet nights that start a rerun at most, however few series share the budget. */
    public static final double LOOSEST = 0.2;

    /** Nights that lie on the level before, at least. */
    private static final int LEAST_USUAL = 2;

    /** Of ratios, on the ln scale: what a histogram of three digits resolves. Nights that agree to the last bit know no less. */
    private static final double LEAST_SPREAD = 0.001;

    /**
     * What a night shows.
     *
     * @param before whether it is largest against the newest night alone; else against all
     * @param nights before that it was compared with
     * @param already of them, how many of the newest lie as high: nights of a level that did not show at once
     * @param size on the ln scale
     * @param statistic in standard errors
     * @param limit that it had to exceed
     */
    public record Rise(boolean before, int nights, int already, double size, double statistic, double limit) {

        public boolean starts() {
            return statistic > limit;
        }

        /** Whether the night lies higher than the nights before it, or than the newest of them. */
        public boolean higher() {
            return statistic > 0;
        }

        /** Share of nights without a change that rise as much, at most: it is either look's. */
        public double chance() {
            return StrictMath.min(1, 2 * TDistribution.of(nights - 1).survivalProbability(statistic));
        }
    }

    /** Paired blocks that the reruns of a night may have. */
    public static int blocks(double secondsOfBlock) {
        return (int) (BUDGET_SECONDS / secondsOfBlock);
    }

    /**
     * @param blocks that the reruns of a night may have
     * @param series that are screened in it
     */
    public static NightlyScreen of(int blocks, int series) {
        double together = StrictMath.min(MOST_STARTS, (double) blocks / CLEARED);
        double starts = StrictMath.min(LOOSEST, together / series);
        return new NightlyScreen(NormalDistribution.of(0, 1).inverseSurvivalProbability(starts / 2));
    }

    /** @param past of the nights before, oldest first, from {@link #LEAST_PAST} to {@link #PAST} */
    public Rise rise(List<Double> past, double tonight) {
        int nights = past.size();
        if (nights < LEAST_PAST || nights > PAST) {
            throw new IllegalArgumentException(
                    "nights before must be from " + LEAST_PAST + " to " + PAST + ", are " + nights);
        }
        double mean = mean(past);
        double squares = 0;
        for (double night : past) {
            squares += (night - mean) * (night - mean);
        }
        double spread = StrictMath.max(LEAST_SPREAD, StrictMath.sqrt(squares / (nights - 1)));
        double againstUsual = (tonight - mean) / (spread * StrictMath.sqrt(1 + 1.0 / nights));
        double againstBefore = (tonight - past.getLast()) / (spread * StrictMath.sqrt(2));
        boolean before = againstBefore > againstUsual;
        double statistic = StrictMath.max(againstUsual, againstBefore);
        return new Rise(
                before,
                nights,
                before ? 0 : already(past, tonight),
                tonight - (before ? past.getLast() : mean),
                statistic,
                limit(nights));
    }

    /**
     * How many of the newest nights before belong to the level of tonight. All nights are split in two where the second level is
     * higher by most standard errors. A rerun against a build of the new level would find nothing.
     */
    private static int already(List<Double> past, double tonight) {
        int already = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int of = 0; of <= past.size() - LEAST_USUAL; of++) {
            int usual = past.size() - of;
            double high = (mean(past.subList(usual, past.size())) * of + tonight) / (of + 1);
            double low = mean(past.subList(0, usual));
            double errors = (high - low) / StrictMath.sqrt(1.0 / (of + 1) + 1.0 / usual);
            if (errors > most) {
                most = errors;
                already = of;
            }
        }
        return already;
    }

    /** Of none it is 0. */
    private static double mean(List<Double> nights) {
        double mean = 0;
        for (double night : nights) {
            mean += night / nights.size();
        }
        return mean;
    }

    /** Fewer nights know the spread less well: a limit that is exceeded by chance as often as that of {@link #PAST}. */
    private double limit(int nights) {
        return nights == PAST
                ? limit
                : TDistribution.of(nights - 1)
                        .inverseSurvivalProbability(TDistribution.of(PAST - 1).survivalProbability(limit));
    }
}
