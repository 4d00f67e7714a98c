package dev.loomboard.stats;

/** Which way a metric should go, as the metric catalogue declares it. */
public enum Better {
    LOWER,
    HIGHER
}
