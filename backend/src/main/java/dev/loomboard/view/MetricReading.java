package dev.loomboard.view;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.jspecify.annotations.Nullable;

/**
 * One metric of one cell as a page shows it. A metric that was not measured has no reading at all.
 *
 * @param mean in the catalogue's unit, on the metric's declared scale
 * @param low lower end of the 95 % interval; null: one trial, no interval
 * @param eligible whether it may be judged
 * @param reason why it may not
 * @param series external id of its history
 */
@JsonIgnoreProperties(ignoreUnknown = true) // roll-ups say more than a row shows
public record MetricReading(
        double mean,
        @Nullable Double low,
        @Nullable Double high,
        boolean eligible,
        @Nullable String reason,
        @Nullable String series) {

    public boolean hasInterval() {
        return low != null && high != null;
    }
}
