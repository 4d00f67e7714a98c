package dev.loomboard.verdict;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.stats.paired.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What came of a declared test, as it is stored and shown; its JSON is flat.
 *
 * @param blocks whole ones: a trial of both sides with the same number and lease, both usable
 * @param suspectBlocks of these, with a trial whose health was in doubt (validity suspect)
 * @param modesBaseline when its trials fall into two groups, in words
 * @param lost what the trials that were excluded may have meant
 * @param looked how its blocks came
 * @param reason why there is no verdict, naming no side; null: there is one
 */
public record Outcome(
        int blocks,
        int suspectBlocks,
        @JsonUnwrapped Found found,
        @JsonUnwrapped Decision decision,
        @JsonUnwrapped Checks checks,
        @JsonUnwrapped Excluded excluded,
        @JsonUnwrapped Lost lost,
        @Nullable String modesBaseline,
        @Nullable String modesCandidate,
        @JsonUnwrapped Looked looked,
        @Nullable String reason) {

    /**
     * What the blocks show.
     *
     * @param baseline mean over the blocks in the metric's unit
     * @param candidate likewise
     * @param effect candidate ÷ baseline; null: too few blocks, or a value that has no logarithm
     * @param low of the 95 % interval of the effect, from the differences within blocks
     * @param degrees of freedom that the interval is of: of blocks whose number the first of them decided, of those alone
     */
    public record Found(
            @Nullable Double baseline,
            @Nullable Double candidate,
            @Nullable Double effect,
            @Nullable Double low,
            @Nullable Double high,
            @Nullable Integer degrees) {
        static final Found NOTHING = new Found(null, null, null, null, null, null);

        private Found turned() {
            return new Found(candidate, baseline, inverse(effect), inverse(high), inverse(low), degrees);
        }
    }

    /**
     * What was concluded of that.
     *
     * @param p of the paired test; null: it was not made, and counts as 1 in its family
     * @param verdict null: none
     * @param margin what matters, a ratio − 1
     * @param decidable the smallest margin that would have been equivalent
     * @param furtherBlocks as {@link dev.loomboard.stats.paired.Judgement}; null with a verdict: beyond any plan, or not said
     * @param furtherBlocksMost upper end of the same range
     */
    public record Decision(
            @Nullable Double p,
            @Nullable Double adjustedP,
            @Nullable Verdict verdict,
            @Nullable Double margin,
            @Nullable Double decidable,
            @Nullable Integer furtherBlocks,
            @Nullable Integer furtherBlocksMost,
            @JsonUnwrapped Findable findable) {
        private Decision turned() {
            return new Decision(
                    p,
                    adjustedP,
                    verdict == null ? null : verdict.turned(),
                    margin,
                    decidable,
                    furtherBlocks,
                    furtherBlocksMost,
                    findable);
        }
    }

    /**
     * What the blocks would have found, as {@link dev.loomboard.stats.paired.FindableChange}; all null: nothing, or judged before that was
     * asked.
     */
    public record Findable(
            @JsonProperty("findable") @Nullable Double size,
            @JsonProperty("findableLow") @Nullable Double low,
            @JsonProperty("findableHigh") @Nullable Double high) {
        public static final Findable NONE = new Findable(null, null, null);
    }

    /** @param disagreement of the checks with the paired test, in words; null: none */
    public record Checks(
            @Nullable Double welchP,
            @Nullable Double mannWhitneyP,
            @Nullable String disagreement) {}

    /** Trials that ended by themselves and cannot be used, of how many. */
    public record Excluded(
            @JsonProperty("excludedBaseline") int baseline,
            @JsonProperty("trialsBaseline") int ofBaseline,
            @JsonProperty("excludedCandidate") int candidate,
            @JsonProperty("trialsCandidate") int ofCandidate) {
        private Excluded turned() {
            return new Excluded(candidate, ofCandidate, baseline, ofBaseline);
        }
    }

    /**
     * All null: judged before that was asked.
     *
     * @param dependsOnLost trials that were excluded and could turn what the blocks say, so that the verdict is inconclusive; null:
     *     it does not depend on them
     * @param failedBaseline of the excluded, those that failed
     * @param failedP of Fisher's exact test of these, unadjusted; null: none failed
     */
    public record Lost(
            @Nullable Integer dependsOnLost,
            @Nullable Integer failedBaseline,
            @Nullable Integer failedCandidate,
            @Nullable Double failedP) {
        private Lost turned() {
            return new Lost(dependsOnLost, failedCandidate, failedBaseline, failedP);
        }
    }

    /**
     * @param look which look of a rerun: then the blocks are those of all looks up to it, and the adjusted p is of the error that
     *     they spend together; null: its blocks were looked at once
     * @param cutShortOf blocks that were to come when the run ended before its time: the adjusted p is of the error spent up to
     *     there; null: they have all come
     */
    public record Looked(@Nullable Integer look, @Nullable Integer cutShortOf) {}

    public @Nullable Verdict verdict() {
        return decision.verdict();
    }

    /** The same with the sides exchanged. */
    public Outcome turned() {
        return new Outcome(
                blocks,
                suspectBlocks,
                found.turned(),
                decision.turned(),
                checks,
                excluded.turned(),
                lost.turned(),
                modesCandidate,
                modesBaseline,
                looked,
                reason);
    }

    private static @Nullable Double inverse(@Nullable Double ratio) {
        return ratio == null ? null : Double.valueOf(1 / ratio);
    }
}
