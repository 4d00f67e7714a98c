package dev.loomboard.stats.latency;

import java.util.Optional;

/** The percentiles that are kept of every step. */
public enum Quantile {
    P50("p50", 500),
    P90("p90", 900),
    P95("p95", 950),
    P99("p99", 990),
    P999("p999", 999);

    private static final int WHOLE = 1000;

    private final String label;
    private final int perMille;

    Quantile(String label, int perMille) {
        this.label = label;
        this.perMille = perMille;
    }

    /** As names of metrics and JSON have it: p50, p999. */
    public String label() {
        return label;
    }

    /** As people write it: p50, p99.9. */
    public String words() {
        return perMille % 10 == 0 ? "p" + perMille / 10 : "p" + perMille / 10 + "." + perMille % 10;
    }

    /** Between 0 and 100. */
    public double percent() {
        return perMille / 10.0;
    }

    /** The position of the quantile among the given number of hits in ascending order, from 1. */
    public long rank(long count) {
        return StrictMath.max(1, (count * perMille + WHOLE - 1) / WHOLE);
    }

    /** Hits that lie beyond it by definition, times a thousand: whole numbers, so that a limit is met exactly. */
    long beyondTimesThousand(long count) {
        return count * (WHOLE - perMille);
    }

    public static Optional<Quantile> of(String label) {
        for (Quantile quantile : values()) {
            if (quantile.label.equals(label)) {
                return Optional.of(quantile);
            }
        }
        return Optional.empty();
    }
}
