package dev.loomboard.verdict;

import dev.loomboard.stats.paired.Verdict;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a CSV says of a verdict, the same wherever it does. */
public final class OutcomeColumns {

    private OutcomeColumns() {}

    /**
     * @param baseline the column of a side's name
     * @param candidate the column of a side's name
     */
    public static List<String> head(String baseline, String candidate) {
        return List.of(
                "verdict",
                "adjusted_p",
                "family",
                "blocks",
                "suspect_blocks",
                "decidable",
                "findable",
                "findable_low",
                "findable_high",
                "further_trials",
                "further_trials_most",
                "excluded_" + baseline,
                "excluded_" + candidate,
                "depends_on_lost",
                "reason");
    }

    /** @param outcome null: not judged, and reason says why */
    public static List<@Nullable Object> row(
            @Nullable Verdict verdict, @Nullable Integer family, @Nullable Outcome outcome, @Nullable String reason) {
        String word = verdict == null ? null : verdict.word();
        return outcome == null
                ? Arrays.asList(
                        word, null, family, null, null, null, null, null, null, null, null, null, null, null, reason)
                : Arrays.asList(
                        word,
                        outcome.decision().adjustedP(),
                        family,
                        outcome.blocks(),
                        outcome.suspectBlocks(),
                        outcome.decision().decidable(),
                        outcome.decision().findable().size(),
                        outcome.decision().findable().low(),
                        outcome.decision().findable().high(),
                        outcome.decision().furtherBlocks(),
                        outcome.decision().furtherBlocksMost(),
                        outcome.excluded().baseline(),
                        outcome.excluded().candidate(),
                        outcome.lost().dependsOnLost(),
                        reason);
    }
}
