package dev.loomboard.series;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The distribution of a step's latencies, successes and failures merged.
 *
 * @param hits how many response times it is made of
 * @param points from the median outwards, as far as the number of hits reaches
 */
public record PercentileCurve(int step, double rate, long hits, List<Point> points) {

    /** @param quantile between 0 and 1; @param serviceMs null: no hit was sent */
    public record Point(
            double quantile, double responseMs, @Nullable Double serviceMs) {}
}
