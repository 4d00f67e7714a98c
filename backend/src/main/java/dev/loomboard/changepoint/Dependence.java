package dev.loomboard.changepoint;

import dev.loomboard.stats.Autocorrelation;
import dev.loomboard.stats.Scale;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The long history of a machine and a metric, whose points' dependence on the one before decides what they are worth. Levels
 * are ordered by build; within one the points resemble those that were measured just before, whichever build they
 * are of: builds that are measured later than their successors lie elsewhere in the one order and together in the other.
 */
final class Dependence {

    private Dependence() {}

    /**
     * @param begins whether a level of its own begins here: another series, server or host, or a confirmed change
     */
    record Past(long pointId, boolean begins, double mean, Instant measuredAt) {}

    private static final Comparator<Past> IN_TIME =
            Comparator.comparing(Past::measuredAt).thenComparingLong(Past::pointId);

    /**
     * @param points in the order of builds
     * @param suspect point where the level that is being tested begins
     */
    static double of(Scale scale, List<Past> points, long suspect) {
        List<double[]> levels = new ArrayList<>();
        List<Past> level = new ArrayList<>();
        for (Past point : points) {
            if (point.begins() || point.pointId() == suspect) {
                levels.add(inTime(scale, level));
                level.clear();
            }
            level.add(point);
        }
        levels.add(inTime(scale, level));
        return Autocorrelation.of(levels);
    }

    /** In shares, else the series of the largest values would decide for all. */
    private static double[] inTime(Scale scale, List<Past> level) {
        return level.stream()
                .sorted(IN_TIME)
                .mapToDouble(point -> scale == Scale.LN ? StrictMath.log(point.mean()) : point.mean())
                .toArray();
    }
}
