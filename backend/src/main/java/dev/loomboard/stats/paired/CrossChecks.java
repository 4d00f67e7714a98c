package dev.loomboard.stats.paired;

import dev.loomboard.stats.Moments;
import dev.loomboard.stats.Welch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What two tests say that do not know of the blocks, beside the paired one: Welch (Biometrika 1947), Mann and
 * Whitney (Annals of Mathematical Statistics 1947). They decide nothing.
 *
 * @param welch two-sided p on the metric's scale
 * @param mannWhitney two-sided p, exact
 * @param disagreement in words; null: none
 */
public record CrossChecks(
        double welch, double mannWhitney, @Nullable String disagreement) {

    /** Over this a test does not even hint at a difference. */
    private static final double NO_HINT = 0.05;

    /** The effect's own blocks. */
    public static CrossChecks of(Effect effect, List<Block> blocks) {
        List<Double> baseline = blocks.stream().map(Block::baseline).toList();
        List<Double> candidate = blocks.stream().map(Block::candidate).toList();
        double welch = Welch.of(Moments.of(baseline, effect.scale()), Moments.of(candidate, effect.scale()))
                .p();
        double mannWhitney = MannWhitney.p(baseline, candidate);
        List<String> words = new ArrayList<>();
        check("Welch's test", welch, effect.p(), words);
        if (MannWhitney.least(blocks.size(), blocks.size()) < Judgement.ALPHA) {
            check("Mann and Whitney's", mannWhitney, effect.p(), words);
        }
        return new CrossChecks(welch, mannWhitney, words.isEmpty() ? null : String.join("; ", words));
    }

    private static void check(String name, double p, double paired, List<String> words) {
        if (StrictMath.min(p, paired) < Judgement.ALPHA && StrictMath.max(p, paired) >= NO_HINT) {
            words.add(String.format(Locale.ROOT, "%s gives p = %.2g, the paired one %.2g", name, p, paired));
        }
    }
}
