package dev.loomboard.stats;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/**
 * How much a cell's mean differs from one run to the next beyond what its trials explain: a standard deviation on the ln
 * scale, so about a share.
 *
 * @param spread as it is used
 * @param assumed too few runs of the same build are known, so it is {@link #FLOOR}
 */
public record RunSpread(double spread, boolean assumed) {

    /** Assumed until {@link #LEAST_RUNS} are known. */
    public static final double FLOOR = 0.02;

    public static final int LEAST_RUNS = 5;
    /** The spread is the upper limit of a one-sided interval of this confidence: of five runs it is known to a factor of 2. */
    public static final double CONFIDENCE = 0.9;

    private static final double ROUND = 10; // two significant digits: a thousandth more in a night changes no board

    public static final RunSpread ASSUMED = new RunSpread(FLOOR, true);

    /**
     * The same cell measured in several runs: the same build, server and host.
     *
     * @param build what may have been measured by several cells of a run, whose deviations are then not independent
     */
    public record Repeats(long build, List<Measured> runs) {
        public Repeats {
            runs = List.copyOf(runs);
        }
    }

    /** @param trials their values, positive */
    public record Measured(long run, List<Double> trials) {
        public Measured {
            trials = List.copyOf(trials);
        }
    }

    /**
     * By the moments of a nested design (Searle, Casella and McCulloch, "Variance Components", 1992, section 3.5): what run means vary by less
     * what their trials explain, the former taken at its upper χ² limit. A run of one trial explains nothing.
     */
    public static RunSpread of(Collection<Repeats> cells) {
        double squares = 0;
        double explained = 0;
        int pooled = 0;
        for (Repeats cell : cells) {
            List<Moments> runs = cell.runs().stream()
                    .map(run -> Moments.of(run.trials(), Scale.LN))
                    .toList();
            if (runs.size() > 1) {
                int freedom = runs.size() - 1;
                squares += freedom * variance(runs);
                explained += freedom
                        * runs.stream()
                                .mapToDouble(m -> m.variance() / m.count())
                                .sum()
                        / runs.size();
                pooled += freedom;
            }
        }
        int freedom = independent(cells);
        if (freedom < LEAST_RUNS - 1) {
            return ASSUMED;
        }
        double limit = freedom / ChiSquaredDistribution.of(freedom).inverseCumulativeProbability(1 - CONFIDENCE);
        return new RunSpread(
                rounded(StrictMath.sqrt(StrictMath.max(limit * squares / pooled - explained / pooled, 0))), false);
    }

    private static double variance(List<Moments> runs) {
        double mean = runs.stream().mapToDouble(Moments::mean).sum() / runs.size();
        double squares = runs.stream()
                .mapToDouble(m -> (m.mean() - mean) * (m.mean() - mean))
                .sum();
        return squares / (runs.size() - 1);
    }

    /** Runs of a build less one, for each build: cells of one run share what was particular to it, and count once. */
    private static int independent(Collection<Repeats> cells) {
        Map<Long, Set<Long>> runs = new HashMap<>();
        for (Repeats cell : cells) {
            if (cell.runs().size() > 1) {
                Set<Long> of = runs.computeIfAbsent(cell.build(), build -> new HashSet<>());
                cell.runs().forEach(run -> of.add(run.run()));
            }
        }
        return runs.values().stream().mapToInt(of -> of.size() - 1).sum();
    }

    /** Upwards. */
    private static double rounded(double spread) {
        if (spread == 0) {
            return 0;
        }
        double unit = StrictMath.pow(10, StrictMath.floor(StrictMath.log10(spread))) / ROUND;
        return StrictMath.ceil(spread / unit) * unit;
    }
}
