package dev.loomboard.verdict;

import dev.loomboard.stats.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What came of a declared test, as it is stored and shown.
 *
 * @param blocks whole ones: a trial of both sides with the same number and lease, both usable
 * @param suspectBlocks of these, with a trial whose health was in doubt (validity suspect)
 * @param baseline mean over the blocks in the metric's unit; @param candidate likewise
 * @param effect candidate ÷ baseline; null: too few blocks, or a value that has no logarithm
 * @param low of the 95 % interval of the effect, from the differences within blocks
 * @param p of the paired test; null: it was not made, and counts as 1 in its family
 * @param margin what matters, a ratio − 1; @param decidable the smallest margin that would have been equivalent
 * @param furtherBlocks as {@link dev.loomboard.stats.Judgement}; null with a verdict: beyond any plan
 * @param disagreement of the checks with the paired test, in words; null: none
 * @param excludedBaseline trials that ended by themselves and cannot be used, of {@code trialsBaseline}
 * @param modesBaseline when its trials fall into two groups, in words
 * @param verdict null: none; then {@code reason} says why, naming no side
 */
public record Outcome(
        int blocks,
        int suspectBlocks,
        @Nullable Double baseline,
        @Nullable Double candidate,
        @Nullable Double effect,
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Double p,
        @Nullable Double adjustedP,
        @Nullable Verdict verdict,
        @Nullable Double margin,
        @Nullable Double decidable,
        @Nullable Integer furtherBlocks,
        @Nullable Double welchP,
        @Nullable Double mannWhitneyP,
        @Nullable String disagreement,
        int excludedBaseline,
        int trialsBaseline,
        int excludedCandidate,
        int trialsCandidate,
        @Nullable String modesBaseline,
        @Nullable String modesCandidate,
        @Nullable String reason) {

    /** The same with the sides exchanged. */
    public Outcome turned() {
        return new Outcome(
                blocks,
                suspectBlocks,
                candidate,
                baseline,
                inverse(effect),
                inverse(high),
                inverse(low),
                p,
                adjustedP,
                verdict == null ? null : verdict.turned(),
                margin,
                decidable,
                furtherBlocks,
                welchP,
                mannWhitneyP,
                disagreement,
                excludedCandidate,
                trialsCandidate,
                excludedBaseline,
                trialsBaseline,
                modesCandidate,
                modesBaseline,
                reason);
    }

    private static @Nullable Double inverse(@Nullable Double ratio) {
        return ratio == null ? null : Double.valueOf(1 / ratio);
    }
}
