package dev.loomboard.stats.paired;

import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Who gets further blocks after the first. The first say by their spread alone how many in all make the 95 % interval of a
 * comparison no wider than its margin on each side: n = ⌈(t·s/w)²⌉ (Stein, "A two-sample test for a linear hypothesis whose
 * power is independent of the variance", Annals of Mathematical Statistics 1945). Smallest needs are met first; one that the
 * rest of the budget does not meet whole gets nothing, since half of it would decide nothing.
 *
 * @param blocks of each cell that gets further ones, by its key: in all
 * @param trials further ones that this takes
 * @param unmet needs that are not met
 */
public record Allocation(Map<Long, Integer> blocks, int trials, List<Need> unmet) {

    /** No cell gets more, as no matrix may ask for more. */
    public static final int MOST_BLOCKS = 100;

    private static final double OUTSIDE = 0.05;

    public Allocation {
        blocks = Map.copyOf(blocks);
        unmet = List.copyOf(unmet);
    }

    /** A comparison of two cells, by their keys, with the total number of blocks that it needs. */
    public record Need(long baseline, long candidate, int blocks) {}

    /** Half the width that the 95 % interval of an effect may have on the scale: the margin, whatever the effect. */
    public static double goal(Effect pilot, Margin margin) {
        Scale scale = pilot.scale();
        double both = scale.from((scale.to(pilot.baseline()) + scale.to(pilot.candidate())) / 2);
        return margin.between(both, both);
    }

    /**
     * Blocks in all: at least the pilot's.
     *
     * @param goal above 0, on the scale
     */
    public static int needed(Effect pilot, double goal) {
        double t = TDistribution.of(pilot.blocks() - 1.0).inverseSurvivalProbability(OUTSIDE / 2);
        double blocks = StrictMath.ceil(StrictMath.pow(t * pilot.spread() / goal, 2));
        return (int) StrictMath.max(pilot.blocks(), StrictMath.min(blocks, Integer.MAX_VALUE));
    }

    /**
     * @param first blocks that each cell has
     * @param budget further trials, of all cells together
     */
    public static Allocation of(List<Need> needs, int first, int budget) {
        Map<Long, Integer> blocks = new HashMap<>();
        int left = budget;
        for (Need need :
                needs.stream().sorted(Comparator.comparingInt(Need::blocks)).toList()) {
            int baseline = StrictMath.max(need.blocks(), blocks.getOrDefault(need.baseline(), first));
            int candidate = StrictMath.max(need.blocks(), blocks.getOrDefault(need.candidate(), first));
            int cost = baseline
                    - blocks.getOrDefault(need.baseline(), first)
                    + candidate
                    - blocks.getOrDefault(need.candidate(), first);
            if (need.blocks() <= MOST_BLOCKS && cost > 0 && cost <= left) {
                blocks.put(need.baseline(), baseline);
                blocks.put(need.candidate(), candidate);
                left -= cost;
            }
        }
        return new Allocation(
                blocks,
                budget - left,
                needs.stream().filter(need -> !met(need, blocks, first)).toList());
    }

    private static boolean met(Need need, Map<Long, Integer> blocks, int first) {
        return need.blocks() <= blocks.getOrDefault(need.baseline(), first)
                && need.blocks() <= blocks.getOrDefault(need.candidate(), first);
    }
}
