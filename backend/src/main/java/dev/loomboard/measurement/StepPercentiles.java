package dev.loomboard.measurement;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A step's percentiles, successes and failures merged; stored as JSON of this shape.
 *
 * @param response by name (p50, p90, p95, p99, p999), from the intended send; a name that is absent had no hits, or the
 *     load is closed and has no such time
 * @param service the same, from the actual send
 */
public record StepPercentiles(Map<String, Value> response, Map<String, Value> service) {

    public static final StepPercentiles NONE = new StepPercentiles(Map.of(), Map.of());

    /**
     * @param nanos the value in ns
     * @param eligible whether enough hits and episodes lie beyond it to judge it
     * @param reason why not
     */
    public record Value(
            long nanos, boolean eligible, @Nullable String reason) {}
}
