package dev.loomboard.view;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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

    /** Means and ends of the intervals of those that may be judged: what their axis spans. */
    public static List<@Nullable Double> spans(Stream<@Nullable MetricReading> readings) {
        List<@Nullable Double> values = new ArrayList<>();
        readings.filter(Objects::nonNull).filter(MetricReading::eligible).forEach(reading -> {
            values.add(reading.mean());
            values.add(reading.low());
            values.add(reading.high());
        });
        return values;
    }

    public boolean hasInterval() {
        return low != null && high != null;
    }
}
