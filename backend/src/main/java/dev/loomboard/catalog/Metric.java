package dev.loomboard.catalog;

import dev.loomboard.kernel.WireName;
import dev.loomboard.stats.Scale;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row of the metric catalogue, {@code backend/api/metrics.json}.
 *
 * @param better lower, higher or none
 * @param delta margin of equivalence, as a share; null: never judged
 * @param trialKind scored, diagnostic or both
 */
public record Metric(
        String name,
        String title,
        String unit,
        Kind kind,
        String better,
        Scale scale,
        Level level,
        @Nullable Double delta,
        String trialKind,
        String note) {

    /** The file as it is. */
    public record Catalogue(String schema, List<Metric> metrics) {}

    public enum Kind implements WireName {
        COUNTER,
        GAUGE,
        PERCENTILE
    }

    public enum Level implements WireName {
        /** Over time. */
        SAMPLE,
        /** One number of a trial. */
        TRIAL,
        /** One number of a trial, of what else went on. */
        NOISE
    }

    public boolean counter() {
        return kind == Kind.COUNTER;
    }

    public boolean percentile() {
        return kind == Kind.PERCENTILE;
    }

    public boolean ofTrial() {
        return level == Level.TRIAL;
    }

    public boolean sampled() {
        return level == Level.SAMPLE;
    }

    public boolean noise() {
        return level == Level.NOISE;
    }
}
