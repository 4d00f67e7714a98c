package dev.loomboard.stats.paired;

import java.util.Arrays;

/**
 * How far values from 0 to 1 are from being spread evenly: the largest distance of their distribution from the even one.
 *
 * @param distance D
 * @param p that even ones are as far or farther, by Stephens' approximation (JRSS B 1970)
 */
public record KolmogorovSmirnov(int count, double distance, double p) {

    private static final int TERMS = 100;

    public static KolmogorovSmirnov even(double[] values) {
        if (values.length == 0 || Arrays.stream(values).anyMatch(v -> !(v >= 0 && v <= 1))) {
            throw new IllegalArgumentException(
                    "values must be from 0 to 1 and there must be one, are " + Arrays.toString(values));
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int count = sorted.length;
        double distance = 0;
        for (int i = 0; i < count; i++) {
            distance = StrictMath.max(distance, sorted[i] - (double) i / count);
            distance = StrictMath.max(distance, (i + 1.0) / count - sorted[i]);
        }
        double root = StrictMath.sqrt(count);
        return new KolmogorovSmirnov(count, distance, beyond((root + 0.12 + 0.11 / root) * distance));
    }

    /** Kolmogorov's distribution. */
    private static double beyond(double lambda) {
        double sum = 0;
        for (int k = 1; k <= TERMS; k++) {
            double term = StrictMath.exp(-2.0 * k * k * lambda * lambda);
            sum += k % 2 == 1 ? term : -term;
        }
        return lambda < 0.2 ? 1 : StrictMath.max(0, StrictMath.min(1, 2 * sum)); // below it the series converges slowly
    }
}
