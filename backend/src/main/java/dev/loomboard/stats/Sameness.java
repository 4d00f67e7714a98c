package dev.loomboard.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Trials of one thing compared with each other as if they were of two (A/A): paired blocks of two in the order ABBA, on the
 * scale ln. The agent judges by the same formulas; both are held to {@code qualification-cases.json}.
 *
 * @param mean geometric
 * @param spread coefficient of variation between trials
 * @param effect of B against A, a ratio − 1
 * @param p that such an effect comes by chance; two-sided
 * @param decidable the smallest difference that the 90 % interval excludes with these trials, a ratio − 1
 */
public record Sameness(double mean, double spread, double effect, double p, double decidable) {

    private static final int LEAST_BLOCKS = 3;
    private static final double OUTSIDE = 0.05;

    /** In order of execution. Empty: fewer than three blocks, or a value that is not positive. */
    public static Optional<Sameness> of(List<Double> values) {
        int blocks = values.size() / 2;
        if (blocks < LEAST_BLOCKS || values.stream().anyMatch(v -> !(v > 0))) {
            return Optional.empty();
        }
        Moments all = Moments.of(values.subList(0, 2 * blocks), Scale.LN);
        Moments between = Moments.of(differences(values, blocks), Scale.IDENTITY);
        double error = StrictMath.sqrt(between.variance() / blocks);
        TDistribution t = TDistribution.of(blocks - 1.0);
        double size = StrictMath.abs(between.mean());
        double wide = error * t.inverseSurvivalProbability(OUTSIDE);
        return Optional.of(new Sameness(
                StrictMath.exp(all.mean()),
                StrictMath.sqrt(StrictMath.exp(all.variance()) - 1),
                StrictMath.exp(between.mean()) - 1,
                error > 0 ? 2 * t.survivalProbability(size / error) : size > 0 ? 0 : 1,
                StrictMath.exp(size + wide) - 1));
    }

    /** B − A of each block; every second block is BA. */
    private static List<Double> differences(List<Double> values, int blocks) {
        List<Double> differences = new ArrayList<>(blocks);
        for (int block = 0; block < blocks; block++) {
            double difference = StrictMath.log(values.get(2 * block + 1)) - StrictMath.log(values.get(2 * block));
            differences.add(block % 2 == 0 ? difference : -difference);
        }
        return differences;
    }
}
