package dev.loomboard.rollup;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A step's percentiles of all hits, each failure at its deadline; stored as JSON of this shape.
 *
 * @param response by name (p50, p90, p95, p99, p999), from the intended send; a name that is absent had no hits, or the
 *     load is closed and has no such time
 * @param service the same, from the actual send
 * @param excess response − declared delay, from a histogram of its own; a step that was stored without one has none
 */
public record StepPercentiles(Map<String, Value> response, Map<String, Value> service, Map<String, Value> excess) {

    public static final StepPercentiles NONE = new StepPercentiles(Map.of(), Map.of(), Map.of());

    /**
     * @param nanos the value in ns
     * @param eligible whether enough independent hits lie beyond it to judge it
     * @param reason why not
     */
    public record Value(
            long nanos, boolean eligible, @Nullable String reason) {}
}
