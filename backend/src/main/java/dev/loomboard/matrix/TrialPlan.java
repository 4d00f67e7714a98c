package dev.loomboard.matrix;

import dev.loomboard.catalog.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * The order in which the trials of a matrix run. Cells of one group (server, variant, scenario, collector, limits) differ in the
 * JDK build alone: all their scored trials come first, then the diagnostic ones. Repeated trials go through the builds
 * there and back (ABBA), so that a drift of the host falls on all of them alike.
 */
public final class TrialPlan {

    private TrialPlan() {}

    /** @param groups the group of each cell, in the order of the cells; those of a group are neighbours */
    public static List<TrialSlot> of(List<String> groups, MatrixSpec.Trials trials) {
        List<TrialSlot> slots = new ArrayList<>();
        int first = 0;
        while (first < groups.size()) {
            int end = first + 1;
            while (end < groups.size() && groups.get(end).equals(groups.get(first))) {
                end++;
            }
            repeat(slots, first, end, TrialKind.SCORED, trials.scored());
            repeat(slots, first, end, TrialKind.DIAGNOSTIC, trials.diagnostic());
            first = end;
        }
        return List.copyOf(slots);
    }

    /** The group of a cell. */
    public static String group(String server, String variant, String scenarioKey, String collector, Limits limits) {
        return String.join("|", server, variant, scenarioKey, collector, limits.toString());
    }

    private static void repeat(List<TrialSlot> slots, int first, int end, TrialKind kind, int times) {
        for (int ordinal = 1; ordinal <= times; ordinal++) {
            for (int i = 0; i < end - first; i++) {
                int cell = ordinal % 2 == 1 ? first + i : end - 1 - i;
                slots.add(new TrialSlot(cell, kind, ordinal, slots.size()));
            }
        }
    }
}
