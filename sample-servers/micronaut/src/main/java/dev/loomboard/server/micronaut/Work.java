package dev.loomboard.server.micronaut;

import io.micronaut.core.annotation.Nullable;
import java.util.Random;

/**
 * The CPU work of one request. Without a seed it depends on the clock, as E1 asks, so that no compiler can compute it
 * once and for all; with a seed the answer is known and can be verified.
 */
final class Work {

    private Work() {}

    /** About a million dependent floating-point steps. */
    static String compute(@Nullable Long seed) {
        double rand = seed == null ? System.nanoTime() : seed;
        double result = 0;
        for (int i = 3; i <= 999; i++) {
            for (int j = 1; j <= 999; j++) {
                result += rand / 3;
                rand -= j;
            }
        }
        return Double.toString(result);
    }

    /** A matrix product; the clock goes into one cell per row, or with a seed the seed plus one per row. */
    static String matmul(int size, @Nullable Long seed) {
        long cell = seed == null
                ? Matrix.randomCellOfProduct(size, new Random(System.nanoTime()), System::nanoTime)
                : Matrix.randomCellOfProduct(size, new Random(seed), new Counter(seed)::next);
        return Long.toString(cell);
    }

    private static final class Counter {
        private long value;

        Counter(long start) {
            value = start;
        }

        long next() {
            return value++;
        }
    }
}
