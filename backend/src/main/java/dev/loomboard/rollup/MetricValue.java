package dev.loomboard.rollup;

import org.jspecify.annotations.Nullable;

/**
 * One metric of a trial.
 *
 * @param reason why it is not eligible for judgement; null: it is
 */
public record MetricValue(
        double value, boolean eligible, @Nullable String reason) {}
