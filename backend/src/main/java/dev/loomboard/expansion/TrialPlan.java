package dev.loomboard.expansion;

import dev.loomboard.cell.Limits;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.stats.paired.Effect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/**
 * The order in which the trials of a matrix run. Cells that are compared take turns: all their scored trials come first,
 * then the diagnostic ones. The k-th trials of all of them are a block, whose order is drawn from the run's seed for each block: a drift
 * of the host falls on all of them alike, and neighbouring blocks do not resemble each other by their order. Where there are
 * trials enough for verdicts these are all cells of a scenario; with fewer, those of one group (server, variant, scenario,
 * collector, limits), which differ in the JDK build alone, so that a first comparison appears early. Cells of a group are
 * neighbours either way.
 */
public final class TrialPlan {

    /** Seeds are below this, which a JSON number holds exactly. */
    public static final long SEEDS = 1L << 53;

    private TrialPlan() {}

    /**
     * Where a cell stands.
     *
     * @param company those that take turns have the same
     * @param group those that are neighbours have the same
     */
    public record Place(String company, String group) {

        public static Place of(MatrixSpec.Trials trials, String group, String scenarioKey) {
            return new Place(trials.scored() < Effect.LEAST_BLOCKS ? group : scenarioKey, group);
        }
    }

    /**
     * More trials a cell leave the order of the first as it is.
     *
     * @param places of the cells, in their order
     */
    public static List<TrialSlot> of(List<Place> places, MatrixSpec.Trials trials, long seed) {
        return of(places, cell -> trials.scored(), cell -> trials.diagnostic(), seed);
    }

    /**
     * A cell that has no further trials is left out of the later blocks, whose others keep their order.
     *
     * @param scored trials of each cell, by its place
     * @param diagnostic trials of each cell, by its place
     */
    public static List<TrialSlot> of(
            List<Place> places, IntUnaryOperator scored, IntUnaryOperator diagnostic, long seed) {
        Map<String, Map<String, List<Integer>>> together = new LinkedHashMap<>();
        for (int cell = 0; cell < places.size(); cell++) {
            Place place = places.get(cell);
            together.computeIfAbsent(place.company(), name -> new LinkedHashMap<>())
                    .computeIfAbsent(place.group(), name -> new ArrayList<>())
                    .add(cell);
        }
        List<TrialSlot> slots = new ArrayList<>();
        long stream = seed;
        for (Map<String, List<Integer>> company : together.values()) {
            List<List<Integer>> groups = List.copyOf(company.values());
            repeat(slots, groups, TrialKind.SCORED, scored, new SeededOrder(stream++));
            repeat(slots, groups, TrialKind.DIAGNOSTIC, diagnostic, new SeededOrder(stream++));
        }
        return List.copyOf(slots);
    }

    /** The scored ones of {@link #of}, each block by itself. */
    public static List<List<TrialSlot>> blocks(List<Place> places, IntUnaryOperator scored, long seed) {
        record Turn(String company, int ordinal) {}
        Map<Turn, List<TrialSlot>> blocks = of(places, scored, cell -> 0, seed).stream()
                .filter(slot -> slot.kind() == TrialKind.SCORED)
                .collect(Collectors.groupingBy(
                        slot -> new Turn(places.get(slot.cell()).company(), slot.ordinal()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return List.copyOf(blocks.values());
    }

    /** The group of a cell. */
    public static String group(String server, String variant, String scenarioKey, String collector, Limits limits) {
        return String.join("|", server, variant, scenarioKey, collector, limits.toString());
    }

    private static void repeat(
            List<TrialSlot> slots,
            List<List<Integer>> groups,
            TrialKind kind,
            IntUnaryOperator times,
            SeededOrder order) {
        int most = groups.stream()
                .flatMap(List::stream)
                .mapToInt(times::applyAsInt)
                .max()
                .orElse(0);
        for (int ordinal = 1; ordinal <= most; ordinal++) {
            for (int cell : order.block(groups)) {
                if (ordinal <= times.applyAsInt(cell)) {
                    slots.add(new TrialSlot(cell, kind, ordinal, slots.size()));
                }
            }
        }
    }
}
