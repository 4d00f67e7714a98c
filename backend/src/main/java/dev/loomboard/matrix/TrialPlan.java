package dev.loomboard.matrix;

import dev.loomboard.cell.Limits;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.stats.Effect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which the trials of a matrix run. Cells that are compared take turns: all their scored trials come first,
 * then the diagnostic ones, and repeated trials go through the cells there and back (ABBA), so that a drift of the host
 * falls on all of them alike. Where there are trials enough for verdicts these are all cells of a scenario; with fewer, those
 * of one group (server, variant, scenario, collector, limits), which differ in the JDK build alone, so that a first
 * comparison appears early. Cells of a group are neighbours either way.
 */
public final class TrialPlan {

    private TrialPlan() {}

    /** @param company of each cell, in the order of the cells: those that take turns have the same */
    public static List<TrialSlot> of(List<String> company, MatrixSpec.Trials trials) {
        Map<String, List<Integer>> together = new LinkedHashMap<>();
        for (int cell = 0; cell < company.size(); cell++) {
            together.computeIfAbsent(company.get(cell), name -> new ArrayList<>())
                    .add(cell);
        }
        List<TrialSlot> slots = new ArrayList<>();
        for (List<Integer> cells : together.values()) {
            repeat(slots, cells, TrialKind.SCORED, trials.scored());
            repeat(slots, cells, TrialKind.DIAGNOSTIC, trials.diagnostic());
        }
        return List.copyOf(slots);
    }

    /** Of a cell: what it shares with those that it takes turns with. */
    public static String company(MatrixSpec.Trials trials, String group, String scenarioKey) {
        return trials.scored() < Effect.LEAST_BLOCKS ? group : scenarioKey;
    }

    /** The group of a cell. */
    public static String group(String server, String variant, String scenarioKey, String collector, Limits limits) {
        return String.join("|", server, variant, scenarioKey, collector, limits.toString());
    }

    private static void repeat(List<TrialSlot> slots, List<Integer> cells, TrialKind kind, int times) {
        for (int ordinal = 1; ordinal <= times; ordinal++) {
            for (int cell : ordinal % 2 == 1 ? cells : cells.reversed()) {
                slots.add(new TrialSlot(cell, kind, ordinal, slots.size()));
            }
        }
    }
}
