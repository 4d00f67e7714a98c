package dev.loomboard.stats.paired;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tests that were declared together, when a comparison or a firing was created, and so are corrected together (Benjamini
 * and Hochberg, JRSS B 1995). Its size is fixed then: a test that could not be made stays in it.
 */
public final class Family {

    private Family() {}

    /**
     * Adjusted p in the order given: the least share of false discoveries at which the test is one.
     *
     * @param p null: the test could not be made; it counts as 1
     * @return null where {@code p} is
     */
    public static @Nullable Double[] adjusted(List<@Nullable Double> p) {
        int size = p.size();
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            Double given = p.get(i);
            if (given != null && !(given >= 0 && given <= 1)) {
                throw new IllegalArgumentException("p must be between 0 and 1, at " + i + " is " + given);
            }
            values[i] = given == null ? 1 : given;
        }
        List<Integer> falling = IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -values[i]).thenComparing(i -> i))
                .toList();
        @Nullable Double[] adjusted = new Double[size];
        double least = 1;
        for (int k = 0; k < size; k++) {
            int i = falling.get(k);
            double own =
                    StrictMath.max(values[i], values[i] * size / (size - k)); // rounding could put it below p itself
            least = StrictMath.min(least, own);
            adjusted[i] = p.get(i) == null ? null : Double.valueOf(least);
        }
        return adjusted;
    }
}
