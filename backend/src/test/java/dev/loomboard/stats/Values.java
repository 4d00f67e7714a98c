package dev.loomboard.stats;

import static org.assertj.core.api.Assertions.within;

import dev.loomboard.stats.paired.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;

/** Trials' values to try formulas on. */
public final class Values {

    private Values() {}

    public static List<Double> around(double level, double spread) {
        return around(level, spread, 6);
    }

    /** By turns above and below, by so much on the ln scale. */
    public static List<Double> around(double level, double spread, int count) {
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(level * Math.exp(spread * (i % 2 == 0 ? 1 : -1)));
        }
        return values;
    }

    /** Standard normal. */
    public static List<Double> noise(Random random, int count) {
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(random.nextGaussian());
        }
        return values;
    }

    /** Differences of ± such that their standard deviation is exactly {@code spread}, on the ln scale. */
    public static List<Block> blocks(double level, double ratio, double spread, int count) {
        List<Block> blocks = new ArrayList<>();
        double off = spread * Math.sqrt((count - 1.0) / count);
        for (int i = 0; i < count; i++) {
            blocks.add(new Block(level, level * ratio * Math.exp(i % 2 == 0 ? off : -off)));
        }
        return blocks;
    }

    /** Equal as far as so many digits tell. */
    public static Offset<Double> digits(double known, int digits) {
        return within(0.5 * Math.pow(10, Math.floor(Math.log10(known)) - digits + 1));
    }
}
