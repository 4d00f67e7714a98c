package dev.loomboard.stats;

import org.jspecify.annotations.Nullable;

/**
 * What can be said of an effect (STATISTICS §1, 6). Pages print it and never make it.
 *
 * @param adjustedP of its family
 * @param margin δ with the floor applied: a ratio − 1 on the ln scale, else in the metric's unit
 * @param decidable the smallest margin at which these blocks would already have said equivalent; as {@code margin}
 * @param furtherBlocks that would settle it with {@link Power#WANTED} probability if effect and spread stayed as they
 *     are; 0: it is settled, null: not within {@link Power#MOST_BLOCKS}
 */
public record Judgement(
        Verdict verdict,
        double adjustedP,
        double margin,
        double decidable,
        @Nullable Integer furtherBlocks) {

    /** Adjusted p that a difference needs. */
    public static final double ALPHA = 0.01;

    /** @param familySize tests that were declared together; power is reckoned as if this were the only effect of them */
    public static Judgement of(Effect effect, Better better, Margin margin, double adjustedP, int familySize) {
        if (margin.scale() != effect.scale() || familySize < 1 || !(adjustedP >= effect.p() * (1 - 1e-12))) {
            throw new IllegalArgumentException("effect, margin and family must belong together: " + effect + ", "
                    + margin + ", adjusted p " + adjustedP + ", family of " + familySize);
        }
        double least = margin.between(effect.baseline(), effect.candidate());
        Verdict verdict = Verdict.of(effect, better, margin, adjustedP);
        return new Judgement(
                verdict,
                adjustedP,
                margin.outward(least),
                margin.outward(StrictMath.abs(effect.difference()) + effect.halfOfEquivalence()),
                verdict == Verdict.INCONCLUSIVE ? further(effect, least, ALPHA / familySize) : Integer.valueOf(0));
    }

    /** An effect of at least the margin is to become significant, a smaller one equivalent. */
    private static @Nullable Integer further(Effect effect, double least, double alpha) {
        double size = StrictMath.abs(effect.difference());
        double spread = effect.spread();
        int blocks = Power.blocks(n -> {
            double error = spread / StrictMath.sqrt(n);
            double power = size >= least
                    ? Power.ofTest(size / error, n - 1.0, alpha)
                    : Power.ofEquivalence(size / error, least / error, n - 1.0);
            return power >= Power.WANTED;
        });
        return blocks == 0 ? null : Integer.valueOf(StrictMath.max(1, blocks - effect.blocks()));
    }
}
