package dev.loomboard.server.quarkus;

import java.util.OptionalLong;
import java.util.Random;

/**
 * The CPU work of one request. Without a seed it depends on the clock, as E1 asks, so that no compiler can compute it
 * once and for all; with a seed the answer is known and can be verified.
 */
final class Work {

    private Work() {}

    /** About a million dependent floating-point steps. */
    static String compute(OptionalLong seed) {
        double rand = seed.isPresent() ? seed.getAsLong() : System.nanoTime();
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
    static String matmul(int size, OptionalLong seed) {
        long cell = seed.isPresent()
                ? Matrix.randomCellOfProduct(size, new Random(seed.getAsLong()), new Counter(seed.getAsLong())::next)
                : Matrix.randomCellOfProduct(size, new Random(System.nanoTime()), System::nanoTime);
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
