package dev.loomboard.stats.paired;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.SpreadInterval;
import org.jspecify.annotations.Nullable;

/**
 * What can be said of an effect ({@code /methodology#verdict}). Pages print it and never make it.
 *
 * @param adjustedP of its family
 * @param margin δ with the floor applied: a ratio − 1 on the ln scale, else in the metric's unit
 * @param decidable the smallest margin at which these blocks would already have said equivalent; as {@code margin}
 * @param findable null: no p decides at this look
 * @param furtherBlocks that would settle it with {@link Power#WANTED} probability if the effect stayed as it is and the
 *     spread were at the lower end of its interval; 0: it is settled, null: not within {@link Power#MOST_BLOCKS}, or the effect
 *     is so close to the margin that none can be named
 * @param furtherBlocksMost the same at the upper end of the interval
 */
public record Judgement(
        Verdict verdict,
        double adjustedP,
        double margin,
        double decidable,
        @Nullable FindableChange findable,
        @Nullable Integer furtherBlocks,
        @Nullable Integer furtherBlocksMost) {

    /** Adjusted p that a difference needs. */
    public static final double ALPHA = 0.01;

    /** @param level that p must be below, were this the only effect of its family: power is calculated from it */
    public static Judgement of(Effect effect, Better better, Margin margin, double adjustedP, double level) {
        if (margin.scale() != effect.scale()
                || !(level >= 0 && level <= ALPHA)
                || !(adjustedP >= effect.p() * (1 - 1e-12))) {
            throw new IllegalArgumentException("effect, margin and level must belong together: " + effect + ", "
                    + margin + ", adjusted p " + adjustedP + ", level " + level);
        }
        double least = margin.between(effect.baseline(), effect.candidate());
        Verdict verdict = Verdict.of(effect, better, margin, adjustedP);
        boolean open = verdict == Verdict.INCONCLUSIVE;
        SpreadInterval spread = SpreadInterval.of(effect.spread(), effect.degrees());
        return new Judgement(
                verdict,
                adjustedP,
                margin.outward(least),
                margin.outward(StrictMath.abs(effect.difference()) + effect.halfOfEquivalence()),
                FindableChange.of(effect, margin, level).orElse(null),
                open ? further(effect, least, level, spread.low()) : Integer.valueOf(0),
                open ? further(effect, least, level, spread.high()) : Integer.valueOf(0));
    }

    /** An effect of at least the margin is to become significant, a smaller one equivalent. Of one close to the margin nothing is said. */
    private static @Nullable Integer further(Effect effect, double least, double level, double spread) {
        double size = StrictMath.abs(effect.difference());
        if (StrictMath.abs(size - least) <= StrictMath.min(effect.error(), least / 2)) {
            return null;
        }
        int blocks = Power.blocks(n -> {
            double error = spread / StrictMath.sqrt(n);
            double power = size >= least
                    ? Power.ofVerdict(size / error, least / error, n - 1.0, level)
                    : Power.ofEquivalence(size / error, least / error, n - 1.0);
            return power >= Power.WANTED;
        });
        return blocks == 0 ? null : Integer.valueOf(StrictMath.max(1, blocks - effect.blocks()));
    }
}
