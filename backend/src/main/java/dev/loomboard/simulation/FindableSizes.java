package dev.loomboard.simulation;

import dev.loomboard.stats.Scale;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.stats.paired.FindableChange;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** The changes that are stated when the spread of the noise is known; so many blocks know it. Made once, as all series need the same. */
final class FindableSizes {

    private static final int KNOWN_BY = 100_000;
    private static final Map<Noise, Double> SPREADS = spreads();
    private static final Map<FindablePower.Case, Double> SIZES = sizes();

    private FindableSizes() {}

    static double of(FindablePower.Case of) {
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
                    Effect.of(Scale.LN, SimulatedRerun.blocks(noise, FindablePower.LAUNCH_SPREAD, KNOWN_BY, 0, random))
                            .orElseThrow()
                            .spread());
        }
        return spreads;
    }

    private static Map<FindablePower.Case, Double> sizes() {
        Map<FindablePower.Case, Double> sizes = new HashMap<>();
        for (Noise noise : Noise.values()) {
            for (int blocks : FindablePower.BLOCKS) {
                for (int cells : FindablePower.CELLS) {
                    FindablePower.Case of = new FindablePower.Case(noise, blocks, cells);
                    sizes.put(of, size(of));
                }
            }
        }
        return sizes;
    }

    private static double size(FindablePower.Case of) {
        double level = SimulatedSeries.LEVEL;
        double spread = spread(of.noise());
        double error = spread / StrictMath.sqrt(of.blocks());
        Effect equal = new Effect(Scale.LN, of.blocks(), level, level, 0, error, of.blocks() - 1, 1);
        return FindableChange.size(equal, FindablePower.MARGIN, of.level(), spread);
    }
}
