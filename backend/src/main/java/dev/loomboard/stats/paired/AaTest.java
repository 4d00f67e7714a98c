package dev.loomboard.stats.paired;

import dev.loomboard.stats.Moments;
import dev.loomboard.stats.Scale;
import java.util.List;
import java.util.Optional;

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
public record AaTest(double mean, double spread, double effect, double p, double decidable) {

    /** In order of execution. Empty: fewer than three blocks, or a value that is not positive and finite. */
    public static Optional<AaTest> of(List<Double> values) {
        if (values.stream().anyMatch(v -> !(v > 0 && Double.isFinite(v)))) {
            return Optional.empty();
        }
        List<Double> paired = values.subList(0, values.size() / 2 * 2);
        return Effect.of(Scale.LN, Block.abba(paired)).map(effect -> of(effect, Moments.of(paired, Scale.LN)));
    }

    private static AaTest of(Effect effect, Moments all) {
        return new AaTest(
                StrictMath.exp(all.mean()),
                StrictMath.sqrt(StrictMath.exp(all.variance()) - 1),
                effect.size() - 1,
                effect.p(),
                StrictMath.exp(StrictMath.abs(effect.difference()) + effect.halfOfEquivalence()) - 1);
    }
}
