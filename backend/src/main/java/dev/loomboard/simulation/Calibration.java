package dev.loomboard.simulation;

import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.paired.Block;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.stats.paired.Family;
import dev.loomboard.stats.paired.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * How reliable verdicts of a given number of paired blocks are: of families of equal cells (A/A), and of such with one
 * cell that is really slower.
 *
 * @param cells that were compared, equal ones
 * @param covered of their 95 % intervals, those that hold 1
 * @param digest sum of the cells' p
 */
public record Calibration(int blocks, int families, int cells, int covered, List<Verdicts> verdicts, double digest) {

    /**
     * @param wrongAlone equal cells called faster or slower by themselves, as a family of one
     * @param wrong the same after adjustment
     * @param wrongFamilies families in which that happened
     */
    public record Verdicts(double delta, int wrongAlone, int wrong, int wrongFamilies, List<Seen> seen) {}

    /**
     * @param change of the one cell
     * @param slower families that call it so, after adjustment
     */
    public record Seen(double change, int slower) {}

    static Calibration of(SimulationSetup scenario, Noise noise, int blocks, Random random) {
        List<List<Block>> equal = new ArrayList<>();
        for (int cell = 0; cell < scenario.comparisons().cells(); cell++) {
            equal.add(SimulatedRerun.blocks(noise, scenario.night().spread(), blocks, 0, random));
        }
        List<Effect> effects = equal.stream().map(Calibration::effect).toList();
        int covered = (int) effects.stream()
                .map(Effect::interval)
                .filter(interval -> interval.low() <= 1 && 1 <= interval.high())
                .count();
        double digest = effects.stream().mapToDouble(Effect::p).reduce(0, Double::sum);
        List<Verdicts> verdicts = scenario.deltas().stream()
                .map(delta -> verdicts(scenario, delta, equal.getFirst(), effects))
                .toList();
        return new Calibration(blocks, 1, effects.size(), covered, verdicts, digest);
    }

    private static Verdicts verdicts(SimulationSetup scenario, double delta, List<Block> first, List<Effect> effects) {
        Margin margin = new Margin(Scale.LN, delta, 0);
        @Nullable Double[] adjusted = adjusted(effects);
        int alone = 0;
        int wrong = 0;
        for (int i = 0; i < effects.size(); i++) {
            Effect effect = effects.get(i);
            alone += Verdict.differs(effect, margin, effect.p()) ? 1 : 0;
            wrong += Verdict.differs(effect, margin, adjusted[i]) ? 1 : 0;
        }
        List<Seen> seen = scenario.comparisons().effects().stream()
                .map(change -> new Seen(change, slower(change, first, effects, margin) ? 1 : 0))
                .toList();
        return new Verdicts(delta, alone, wrong, wrong > 0 ? 1 : 0, seen);
    }

    private static boolean slower(double change, List<Block> first, List<Effect> effects, Margin margin) {
        Effect slower = effect(first.stream()
                .map(block -> new Block(block.baseline(), block.candidate() * (1 + change)))
                .toList());
        List<Effect> family = new ArrayList<>(effects);
        family.set(0, slower);
        return slower.difference() > 0 && Verdict.differs(slower, margin, adjusted(family)[0]);
    }

    private static @Nullable Double[] adjusted(List<Effect> effects) {
        return Family.adjusted(effects.stream().map(Effect::p).toList());
    }

    private static Effect effect(List<Block> blocks) {
        return Effect.of(Scale.LN, blocks).orElseThrow();
    }

    Calibration plus(Calibration other) {
        List<Verdicts> both = new ArrayList<>();
        for (int i = 0; i < verdicts.size(); i++) {
            both.add(sum(verdicts.get(i), other.verdicts.get(i)));
        }
        return new Calibration(
                blocks,
                families + other.families,
                cells + other.cells,
                covered + other.covered,
                both,
                digest + other.digest);
    }

    private static Verdicts sum(Verdicts one, Verdicts two) {
        List<Seen> seen = new ArrayList<>();
        for (int i = 0; i < one.seen.size(); i++) {
            seen.add(new Seen(one.seen.get(i).change, one.seen.get(i).slower + two.seen.get(i).slower));
        }
        return new Verdicts(
                one.delta,
                one.wrongAlone + two.wrongAlone,
                one.wrong + two.wrong,
                one.wrongFamilies + two.wrongFamilies,
                seen);
    }
}
