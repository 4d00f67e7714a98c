package dev.loomboard.verdict;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.stats.paired.Allocation;
import dev.loomboard.stats.paired.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the first blocks of a run said of its spread, and how many trials each cell gets by it; stored with the run. How large an
 * effect is plays no part (Stein, Annals of Mathematical Statistics 1945). The agent's bench has the same in Go
 * ({@code verdict/pilot.go}).
 *
 * @param first blocks that it was looked at after
 * @param budget further trials that there may be
 * @param spreads of what can be judged so far
 * @param cells scored trials in all of each cell that gets further ones, by its internal key
 * @param trials further ones of all cells
 */
public record Pilot(int first, int budget, List<Spread> spreads, Map<Long, Integer> cells, int trials) {

    public Pilot {
        spreads = List.copyOf(spreads);
        cells = Map.copyOf(cells);
    }

    /**
     * Of one comparison.
     *
     * @param blocks that it was estimated from
     * @param spread standard deviation of a block's difference, on the metric's scale
     * @param goal half the width that its 95 % interval may have, on the scale
     * @param needed blocks in all for that
     * @param met they are made or given
     */
    public record Spread(
            long baseline,
            long candidate,
            String metric,
            int blocks,
            double spread,
            double goal,
            int needed,
            boolean met) {}

    static Pilot of(List<Judge.Test> tests, List<RunTrial> trials, int first, int budget) {
        List<Spread> spreads = spreads(tests, trials, first);
        Allocation allocation = Allocation.of(spreads.stream().map(Pilot::need).toList(), first, budget);
        return new Pilot(
                first,
                budget,
                spreads.stream()
                        .map(s -> new Spread(
                                s.baseline,
                                s.candidate,
                                s.metric,
                                s.blocks,
                                s.spread,
                                s.goal,
                                s.needed,
                                !allocation.unmet().contains(need(s))))
                        .toList(),
                allocation.blocks(),
                allocation.trials());
    }

    private static List<Spread> spreads(List<Judge.Test> tests, List<RunTrial> trials, int first) {
        // Whether a server fails is a question of its own, and no matter of spread.
        List<Judge.Test> judged = tests.stream()
                .filter(test -> !test.metric().equals(DeclaredTest.FAILED))
                .toList();
        List<PairedTrials> paired = Judge.paired(judged, trials);
        List<Spread> spreads = new ArrayList<>();
        for (int i = 0; i < judged.size(); i++) {
            Judge.Test test = judged.get(i);
            if (paired.get(i).reasons().isEmpty()) {
                Effect.of(
                                Metrics.all().get(test.metric()).scale(),
                                paired.get(i).blocks())
                        .ifPresent(effect -> spreads.add(spread(test, effect, first)));
            }
        }
        return spreads;
    }

    private static Spread spread(Judge.Test test, Effect effect, int first) {
        double goal = Allocation.goal(effect, DeclaredTest.margin(test.metric()));
        int needed = Math.max(first, Allocation.needed(effect, goal));
        return new Spread(
                test.baseline(), test.candidate(), test.metric(), effect.blocks(), effect.spread(), goal, needed, true);
    }

    private static Allocation.Need need(Spread spread) {
        return new Allocation.Need(spread.baseline, spread.candidate, spread.needed);
    }

    /** In one sentence. */
    public String words() {
        long enough = spreads.stream().filter(s -> s.needed <= first).count();
        List<Integer> lacking = spreads.stream()
                .filter(s -> !s.met)
                .map(Spread::needed)
                .sorted()
                .toList();
        long given = spreads.size() - enough - lacking.size();
        String said = "after the first " + first + " blocks, " + enough + " of " + spreads.size()
                + " comparisons are as precise as their margin; " + trials + " of at most " + budget
                + " further trials make " + given + " more that precise";
        return lacking.isEmpty()
                ? said
                : said + "; " + lacking.size() + " would need " + range(lacking) + " blocks and get none";
    }

    private static String range(List<Integer> blocks) {
        return blocks.getFirst().equals(blocks.getLast())
                ? String.valueOf(blocks.getFirst())
                : blocks.getFirst() + " to " + blocks.getLast();
    }
}
