package dev.loomboard.recompute;

import dev.loomboard.kernel.WireName;
import java.util.List;

/**
 * What came of making a run's numbers again.
 *
 * @param run external id
 * @param rows that are stored: percentiles of steps, metrics of operations and trials, points, change points, leaderboard entries, ranks, verdicts
 * @param differences the first of them; empty: every row is the same to the last bit
 */
public record RollupCheck(String run, String title, long rows, List<Difference> differences) {

    /** What a row holds. */
    public enum Kind implements WireName {
        PERCENTILES,
        OPERATION,
        TRIAL_METRIC,
        POINT,
        LEADERBOARD_ENTRY,
        CHANGE_POINT,
        RANK,
        COMPARISON;

        /** Read by people: with spaces. */
        @Override
        public String wire() {
            return WireName.super.wire().replace('-', ' ');
        }
    }

    /** @param stored whether the row is what is stored and was not made again, or the other way round */
    public record Difference(Kind kind, String line, boolean stored) {}

    public boolean same() {
        return differences.isEmpty();
    }
}
