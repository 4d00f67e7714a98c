package dev.loomboard.simulation;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.Block;
import dev.loomboard.stats.Effect;
import dev.loomboard.stats.Family;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/**
 * The interleaved rerun of two builds of a series: paired blocks in the order ABBA, whose trials vary as the nights do.
 *
 * @param level ln of the true level, by night
 * @param family tests that are adjusted together: the metric's, and those of metrics that stay as they are
 */
record SimulatedRerun(Noise noise, double spread, int family, IntToDoubleFunction level, Random random) {

    static final int BLOCKS = 20;

    record Result(Effect effect, double adjustedP) {

        Verdict verdict(Margin margin) {
            return Verdict.of(effect, Better.LOWER, margin, adjustedP);
        }
    }

    Result of(int lastGood, int newest) {
        double change = level.applyAsDouble(newest) - level.applyAsDouble(lastGood);
        Effect effect = Effect.of(Scale.LN, blocks(noise, spread, BLOCKS, change, random))
                .orElseThrow();
        List<Double> p = new ArrayList<>(List.of(effect.p()));
        while (p.size() < family) {
            p.add(random.nextDouble());
        }
        return new Result(effect, Family.adjusted(p)[0]);
    }

    /** @param change of the candidate, on the ln scale */
    static List<Block> blocks(Noise noise, double spread, int count, double change, Random random) {
        double[] noises = noise.draw(random, 2 * count);
        List<Double> values = new ArrayList<>(2 * count);
        for (int i = 0; i < noises.length; i++) {
            boolean candidate = i % 4 == 1 || i % 4 == 2; // ABBA
            values.add(SimulatedSeries.LEVEL * StrictMath.exp(spread * noises[i] + (candidate ? change : 0)));
        }
        return Block.abba(values);
    }
}
