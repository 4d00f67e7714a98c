package dev.loomboard.trial;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One metric over a trial, ready to draw: counters have become rates, long ones have been thinned.
 *
 * @param rate the values are per second of the metric's unit: a counter of seconds becomes s/s
 * @param merged ticks per point: 1, or more when thinned; then a gauge shows its highest, a counter its mean rate
 * @param seconds from the trial's start
 * @param values null: not measured then
 */
public record SampleSeries(
        String metric, boolean rate, int merged, List<Double> seconds, List<@Nullable Double> values) {

    public SampleSeries {
        seconds = List.copyOf(seconds);
        values = Collections.unmodifiableList(Arrays.asList(values.toArray(Double[]::new)));
    }
}
