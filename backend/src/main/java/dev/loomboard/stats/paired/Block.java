package dev.loomboard.stats.paired;

import java.util.ArrayList;
import java.util.List;

/** A trial of each side, run next to each other on one machine; both in the metric's unit. */
public record Block(double baseline, double candidate) {

    public Block {
        if (!Double.isFinite(baseline) || !Double.isFinite(candidate)) {
            throw new IllegalArgumentException(
                    "a block's values must be finite, are " + baseline + " and " + candidate);
        }
    }

    /** Of trials in the order of execution ABBA…, A being the baseline; one that is left over at the end is not used. */
    public static List<Block> abba(List<Double> values) {
        List<Block> blocks = new ArrayList<>(values.size() / 2);
        for (int i = 0; i + 1 < values.size(); i += 2) {
            double first = values.get(i);
            double second = values.get(i + 1);
            blocks.add(i % 4 == 0 ? new Block(first, second) : new Block(second, first));
        }
        return blocks;
    }
}
