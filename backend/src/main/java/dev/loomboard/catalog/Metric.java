package dev.loomboard.catalog;

import dev.loomboard.cell.TrialKind;
import dev.loomboard.kernel.WireName;
import dev.loomboard.stats.Better;
import dev.loomboard.stats.Scale;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row of the metric catalogue, {@code backend/api/metrics.json}.
 *
 * @param delta margin of equivalence, as a share; null: never judged
 * @param trialKind trials that have it
 */
public record Metric(
        String name,
        String title,
        String unit,
        Kind kind,
        Preferred better,
        Scale scale,
        Level level,
        @Nullable Double delta,
        TrialKinds trialKind,
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

    /** Which values are the better ones. */
    public enum Preferred implements WireName {
        LOWER,
        HIGHER,
        /** Neither: such a metric has no verdict. */
        NONE
    }

    public enum TrialKinds implements WireName {
        SCORED,
        DIAGNOSTIC,
        BOTH;

        public boolean has(TrialKind kind) {
            return switch (this) {
                case SCORED -> kind == TrialKind.SCORED;
                case DIAGNOSTIC -> kind == TrialKind.DIAGNOSTIC;
                case BOTH -> true;
            };
        }
    }

    /** Which way is better, for a verdict: only of a metric that has verdicts. */
    public Better direction() {
        return switch (better) {
            case LOWER -> Better.LOWER;
            case HIGHER -> Better.HIGHER;
            case NONE -> throw new IllegalStateException("nothing of " + name + " can be better");
        };
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
