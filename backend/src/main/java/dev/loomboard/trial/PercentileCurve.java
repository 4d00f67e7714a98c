package dev.loomboard.trial;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The distribution of a step's latencies, each failure at its deadline.
 *
 * @param rate offered, per second; null: a closed load, of {@code connections}, which has no response times
 * @param hits how many times it is made of
 * @param points from the median outwards, as far as the number of hits reaches
 */
public record PercentileCurve(
        int step, @Nullable Double rate, @Nullable Integer connections, long hits, List<Point> points) {

    /**
     * @param quantile between 0 and 1
     * @param responseMs null: a closed load
     * @param serviceMs null: no hit was sent
     */
    public record Point(
            double quantile,
            @Nullable Double responseMs,
            @Nullable Double serviceMs) {}
}
