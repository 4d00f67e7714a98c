package dev.loomboard.simulation;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.SpreadInterval;
import dev.loomboard.stats.paired.Block;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.stats.paired.Family;
import dev.loomboard.stats.paired.FindableChange;
import dev.loomboard.stats.paired.Judgement;
import dev.loomboard.stats.paired.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Whether changes are found as often as verdicts state. One cell of a family gets a change of the stated size in new blocks; the
 * others are equal.
 *
 * @param size that is stated of the true spread
 * @param found series whose cell is called slower after a change of that size
 * @param foundOfPrinted the same after a change of the size that blocks before had stated of their own spread, which is what pages print
 * @param held series whose stated range holds {@code size}
 * @param digest sum of p
 */
public record FindablePower(Case of, double size, int series, int found, int foundOfPrinted, int held, double digest) {

    /** @param cells of the family */
    public record Case(Noise noise, int blocks, int cells) {

        double level() {
            return Judgement.ALPHA / cells;
        }
    }

    public static final double LAUNCH_SPREAD = 0.025;
    public static final Margin MARGIN = new Margin(Scale.LN, 0.02, 0);
    static final List<Integer> BLOCKS = List.of(5, 10, 20);
    static final List<Integer> CELLS = List.of(1, 30);

    /** Apart from those of the noise's other parts. */
    private static final int PART = 200;

    /** All noises × blocks × families, of the series of this index. */
    static List<FindablePower> one(long seed, int index) {
        List<FindablePower> all = new ArrayList<>();
        for (Noise noise : Noise.values()) {
            for (int blocks : BLOCKS) {
                all.addAll(of(noise, blocks, NoiseResult.random(seed, noise.ordinal(), index, PART + blocks)));
            }
        }
        return all;
    }

    private static List<FindablePower> of(Noise noise, int blocks, Random random) {
        Effect before = effect(drawn(noise, blocks, random));
        List<Block> now = drawn(noise, blocks, random);
        List<Effect> equal = new ArrayList<>();
        for (int cell = 1; cell < CELLS.getLast(); cell++) {
            equal.add(effect(drawn(noise, blocks, random)));
        }
        return CELLS.stream()
                .map(cells -> of(new Case(noise, blocks, cells), before, now, equal.subList(0, cells - 1)))
                .toList();
    }

    private static FindablePower of(Case of, Effect before, List<Block> now, List<Effect> equal) {
        double size = Sizes.of(of);
        double printed = FindableChange.size(before, MARGIN, of.level(), before.spread());
        SpreadInterval range = SpreadInterval.of(before.spread(), before.degrees());
        double spread = Sizes.spread(of.noise());
        boolean held = range.low() <= spread && spread <= range.high();
        return new FindablePower(
                of,
                size,
                1,
                slower(size, now, equal) ? 1 : 0,
                slower(printed, now, equal) ? 1 : 0,
                held ? 1 : 0,
                before.p() + effect(now).p());
    }

    private static boolean slower(double change, List<Block> blocks, List<Effect> equal) {
        Effect slower = effect(blocks.stream()
                .map(block -> new Block(block.baseline(), block.candidate() * (1 + change)))
                .toList());
        List<@Nullable Double> p = new ArrayList<>();
        p.add(slower.p());
        equal.forEach(effect -> p.add(effect.p()));
        double adjusted = Objects.requireNonNull(Family.adjusted(p)[0]);
        return Verdict.of(slower, Better.LOWER, MARGIN, adjusted) == Verdict.SLOWER;
    }

    private static List<Block> drawn(Noise noise, int blocks, Random random) {
        return SimulatedRerun.blocks(noise, LAUNCH_SPREAD, blocks, 0, random);
    }

    private static Effect effect(List<Block> blocks) {
        return Effect.of(Scale.LN, blocks).orElseThrow();
    }

    FindablePower plus(FindablePower other) {
        return new FindablePower(
                of,
                size,
                series + other.series,
                found + other.found,
                foundOfPrinted + other.foundOfPrinted,
                held + other.held,
                digest + other.digest);
    }

    /** The changes that are stated when the spread of the noise is known; so many blocks know it. Made once, as all series need the same. */
    private static final class Sizes {

        private static final int KNOWN_BY = 100_000;
        private static final Map<Noise, Double> SPREADS = spreads();
        private static final Map<Case, Double> SIZES = sizes();

        static double of(Case of) {
            return Objects.requireNonNull(SIZES.get(of));
        }

        /** Of a block's difference, on the ln scale. */
        static double spread(Noise noise) {
            return Objects.requireNonNull(SPREADS.get(noise));
        }

        private static Map<Noise, Double> spreads() {
            Map<Noise, Double> spreads = new EnumMap<>(Noise.class);
            for (Noise noise : Noise.values()) {
                Random random = NoiseResult.random(1, noise.ordinal(), 0, 0);
                spreads.put(
                        noise,
                        Effect.of(Scale.LN, SimulatedRerun.blocks(noise, LAUNCH_SPREAD, KNOWN_BY, 0, random))
                                .orElseThrow()
                                .spread());
            }
            return spreads;
        }

        private static Map<Case, Double> sizes() {
            Map<Case, Double> sizes = new HashMap<>();
            for (Noise noise : Noise.values()) {
                for (int blocks : BLOCKS) {
                    for (int cells : CELLS) {
                        Case of = new Case(noise, blocks, cells);
                        sizes.put(of, size(of));
                    }
                }
            }
            return sizes;
        }

        private static double size(Case of) {
            double level = SimulatedSeries.LEVEL;
            double spread = spread(of.noise());
            double error = spread / StrictMath.sqrt(of.blocks());
            Effect equal = new Effect(Scale.LN, of.blocks(), level, level, 0, error, of.blocks() - 1, 1);
            return FindableChange.size(equal, MARGIN, of.level(), spread);
        }
    }
}
