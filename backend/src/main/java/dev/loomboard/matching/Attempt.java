package dev.loomboard.matching;

import dev.loomboard.cell.RunState;
import dev.loomboard.stats.PooledRatio;
import dev.loomboard.stats.RatioMean;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run in which a pair was to be measured on one metric, whatever came of it.
 *
 * @param rerun it was started to follow up a suspect
 * @param blocks null: it was not judged
 * @param cutShortOf blocks that were to come when it ended before its time; null: they have all come
 * @param verdict its own, as it was declared; null: none
 * @param ratio candidate ÷ baseline; null: too few blocks
 * @param low of the 95 % interval of the ratio
 * @param summand what it adds to the pooled ratio if it counts; null: too few blocks
 * @param leftOut why it does not count into the pooled ratio; null: it does
 */
public record Attempt(
        String run,
        Instant createdAt,
        RunState state,
        boolean rerun,
        @Nullable Integer blocks,
        @Nullable Integer cutShortOf,
        @Nullable Verdict verdict,
        @Nullable Double ratio,
        @Nullable Double low,
        @Nullable Double high,
        RatioMean.@Nullable Cell summand,
        @Nullable String leftOut) {

    /** @param outcome seen from the baseline that is shown; null: it was not judged */
    static Attempt of(
            String run,
            Instant createdAt,
            RunState state,
            boolean rerun,
            @Nullable Outcome outcome,
            @Nullable String leftOut) {
        return outcome == null
                ? new Attempt(run, createdAt, state, rerun, null, null, null, null, null, null, null, leftOut)
                : new Attempt(
                        run,
                        createdAt,
                        state,
                        rerun,
                        outcome.blocks(),
                        outcome.looked().cutShortOf(),
                        outcome.verdict(),
                        outcome.found().effect(),
                        outcome.found().low(),
                        outcome.found().high(),
                        CellMatcher.summand(outcome.found()),
                        leftOut == null ? outcome.reason() : leftOut);
    }

    /** Null: it does not count. */
    PooledRatio.@Nullable Run pooled() {
        return leftOut != null || blocks == null || summand == null ? null : new PooledRatio.Run(summand, blocks);
    }
}
