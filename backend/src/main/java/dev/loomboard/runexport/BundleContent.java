package dev.loomboard.runexport;

import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.Phase;
import dev.loomboard.measurement.Window;
import dev.loomboard.rollup.SampledMetric;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How much of what its trials sent is in a bundle. */
enum BundleContent implements WireName {
    ALL,

    /** Without what no number is made of: much smaller, and the same numbers where it is imported. */
    COMPACT;

    /** Of a run's notices, so that a reader of its pages knows why charts have gaps. */
    static final String NOTICE =
            "This run came in a compact bundle: seconds of load outside the measured steps are missing,"
                    + " and samples that no metric is made of. They were measured, and left out. Histograms of single seconds have"
                    + " fewer values; their percentiles, and the histograms of steps, are as they were measured.";

    private static final Set<String> SAMPLED = Set.of(SampledMetric.metrics());

    /** Whether a second of load is in it. Those of the measured steps say which percentiles may be judged. */
    boolean has(Window second) {
        return this == ALL || second.phase() == Phase.MEASURE;
    }

    boolean hasSamplesOf(String metric) {
        return this == ALL || SAMPLED.contains(metric);
    }

    /** Those of a run, with the one of a compact bundle once. */
    List<String> noticed(List<String> notices) {
        return this == ALL || notices.contains(NOTICE)
                ? notices
                : Stream.concat(notices.stream(), Stream.of(NOTICE)).toList();
    }

    /** As the manifest says it. */
    @Nullable
    Boolean compactOrNull() {
        return this == COMPACT ? Boolean.TRUE : null;
    }
}
