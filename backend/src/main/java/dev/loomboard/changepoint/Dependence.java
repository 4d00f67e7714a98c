package dev.loomboard.changepoint;

import dev.loomboard.stats.Autocorrelation;
import dev.loomboard.stats.Scale;
import java.util.ArrayList;
import java.util.List;

/** The long history of a machine and a metric, whose points' dependence on the one before decides what they are worth. */
final class Dependence {

    private Dependence() {}

    /**
     * @param begins whether a level of its own begins here: another series, server or host, or a confirmed change
     */
    record Past(long pointId, boolean begins, double mean) {}

    /** @param suspect point where the level that is being tested begins */
    static double of(Scale scale, List<Past> points, long suspect) {
        List<double[]> levels = new ArrayList<>();
        List<Double> level = new ArrayList<>();
        for (Past point : points) {
            if (point.begins() || point.pointId() == suspect) {
                levels.add(array(level));
                level.clear();
            }
            // In shares, else the series of the largest values would decide for all.
            level.add(scale == Scale.LN ? StrictMath.log(point.mean()) : point.mean());
        }
        levels.add(array(level));
        return Autocorrelation.of(levels);
    }

    private static double[] array(List<Double> level) {
        return level.stream().mapToDouble(v -> v).toArray();
    }
}
