package dev.loomboard.verdict;

import org.jspecify.annotations.Nullable;

/**
 * A declared test, seen from the baseline that was asked for.
 *
 * @param familySize number of tests declared together
 * @param methodology version of the analysis
 * @param outcome null: their run has not ended
 */
public record JudgedTest(
        int familySize, String methodology, @Nullable Outcome outcome) {

    public JudgedTest turned() {
        return new JudgedTest(familySize, methodology, outcome == null ? null : outcome.turned());
    }
}
