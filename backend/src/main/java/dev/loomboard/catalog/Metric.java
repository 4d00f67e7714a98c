package dev.loomboard.catalog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row of the metric catalogue, {@code backend/api/metrics.json}.
 *
 * @param kind counter, gauge or percentile
 * @param better lower, higher or none
 * @param scale ln or identity: where means and intervals are made
 * @param level sample (over time), trial (one number) or noise (one number, of what else went on)
 * @param headline whether comparisons are declared on it
 * @param delta margin of equivalence, as a share; null: never judged
 * @param trialKind scored, diagnostic or both
 */
public record Metric(
        String name,
        String title,
        String unit,
        String kind,
        String better,
        String scale,
        String level,
        boolean headline,
        @Nullable Double delta,
        String trialKind,
        String note) {

    /** The file as it is. */
    public record Catalogue(String schema, List<Metric> metrics) {}

    public boolean counter() {
        return kind.equals("counter");
    }

    public boolean percentile() {
        return kind.equals("percentile");
    }

    public boolean ofTrial() {
        return level.equals("trial");
    }

    public boolean sampled() {
        return level.equals("sample");
    }

    public boolean noise() {
        return level.equals("noise");
    }
}
