package dev.loomboard.stats;

import java.util.Optional;

/** Which way a metric should go, as the metric catalogue declares it. */
public enum Better {
    LOWER,
    HIGHER;

    /** Empty for {@code none}: of such a metric nothing can be better, so it has no verdict. */
    public static Optional<Better> of(String name) {
        return switch (name) {
            case "lower" -> Optional.of(LOWER);
            case "higher" -> Optional.of(HIGHER);
            case "none" -> Optional.empty();
            default -> throw new IllegalArgumentException("better must be lower, higher or none, is: " + name);
        };
    }
}
