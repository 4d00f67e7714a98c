package dev.loomboard.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Trials' values to try formulas on. */
final class Values {

    private Values() {}

    static List<Double> around(double level, double spread) {
        return around(level, spread, 6);
    }

    /** By turns above and below, by so much on the ln scale. */
    static List<Double> around(double level, double spread, int count) {
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(level * Math.exp(spread * (i % 2 == 0 ? 1 : -1)));
        }
        return values;
    }

    /** Standard normal. */
    static List<Double> noise(Random random, int count) {
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(random.nextGaussian());
        }
        return values;
    }

    /** Differences of ± such that their standard deviation is exactly {@code spread}, on the ln scale. */
    static List<Block> blocks(double level, double ratio, double spread, int count) {
        List<Block> blocks = new ArrayList<>();
        double off = spread * Math.sqrt((count - 1.0) / count);
        for (int i = 0; i < count; i++) {
            blocks.add(new Block(level, level * ratio * Math.exp(i % 2 == 0 ? off : -off)));
        }
        return blocks;
    }
}
