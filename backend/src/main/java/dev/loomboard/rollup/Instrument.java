package dev.loomboard.rollup;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.scenario.Load;
import dev.loomboard.scenario.Scenario;
import dev.loomboard.stats.latency.Latencies;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The resolution of a measurement: smaller differences are not visible, however many trials there are. */
public final class Instrument {

    private static final Set<String> SEARCHED = Set.of("max_rate_per_s", "critical_rate_per_s");
    private static final double NANOS_PER_MS = 1e6;
    /** Of 4 KiB, in which the kernel counts resident memory. */
    private static final double PAGE_MIB = 1 / 256.0;

    private Instrument() {}

    /**
     * How far two values must lie apart to differ: the bucket of a histogram, the step of a search, a page. In the metric's
     * unit; null: finer than anything that is judged, or not known.
     */
    public static @Nullable Double resolution(String name, double value, String scenarioKey) {
        if (SEARCHED.contains(name)) {
            Double step = searchStep(scenarioKey);
            return step == null ? null : Double.valueOf(step * value);
        }
        if (name.equals("rss_mib")) {
            return PAGE_MIB;
        }
        Metric metric = Metrics.all().get(name);
        return metric.ofTrial() && metric.percentile() && metric.unit().equals("ms")
                ? Double.valueOf(Latencies.resolution(Math.round(value * NANOS_PER_MS)) / NANOS_PER_MS)
                : null;
    }

    /** How close a search brings a rate that failed and the one that it found, as a share; null: the load is no search. */
    private static @Nullable Double searchStep(String scenarioKey) {
        return Scenario.parse(scenarioKey)
                .map(Scenario::load)
                .filter(Load.Search.class::isInstance)
                .map(load -> ((Load.Search) load).precision())
                .orElse(null);
    }
}
