package dev.loomboard.rollup;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.stats.Margin;
import org.jspecify.annotations.Nullable;

/**
 * Whether the generator's lag keeps a time from being judged. A quarter of the margin may come from lag: of the metric's share, or of
 * the least difference that ever matters.
 */
final class GeneratorLag {

    private static final double NANOS_PER_MS = 1e6;

    private GeneratorLag() {}

    /** @param name of the metric, whose value is {@code millis}; null: it may be judged */
    static @Nullable String tooLarge(String name, double millis, @Nullable Long lagNanos) {
        Double margin = Metrics.all().find(name).map(Metric::delta).orElse(null);
        if (lagNanos == null || margin == null) {
            return null;
        }
        double most = Math.max(margin * millis, Margin.LATENCY_FLOOR_MS) / 4;
        double lag = lagNanos / NANOS_PER_MS;
        return lag <= most
                ? null
                : "requests left %.0f µs late, %.0f µs at most may be judged".formatted(lag * 1000, most * 1000);
    }
}
