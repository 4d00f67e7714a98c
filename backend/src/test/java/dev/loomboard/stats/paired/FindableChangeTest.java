package dev.loomboard.stats.paired;

import static dev.loomboard.stats.Values.blocks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The change that blocks would have found. */
final class FindableChangeTest {

    private static final Margin TWO_PERCENT = new Margin(Scale.LN, 0.02, 0);

    /** By a Monte Carlo that knew nothing of this code: 12 % alone, 18 % in a family of five, 31 % in one of thirty. */
    @Test
    void change_that_five_blocks_find_grows_with_the_family() {
        assertThat(findable(1)).isBetween(0.115, 0.13);
        assertThat(findable(5)).isBetween(0.17, 0.195);
        assertThat(findable(30)).isBetween(0.295, 0.325);
        assertThat(findable(5))
                .as("whatever effect was seen")
                .isEqualTo(found(blocks(100, 1.07, 0.03 * Math.sqrt(2), 5), 5).size());
    }

    /** Quantiles of χ² with four degrees of freedom from tables: 0.48442 and 11.14329. */
    @Test
    void range_is_of_the_ends_of_the_spread_s_interval() {
        double spread = 0.03 * Math.sqrt(2);
        FindableChange found = found(blocks(100, 1, spread, 5), 5);
        assertThat(found.low())
                .isCloseTo(
                        found(blocks(100, 1, spread * Math.sqrt(4 / 11.14329), 5), 5)
                                .size(),
                        within(1e-6));
        assertThat(found.high())
                .isCloseTo(
                        found(blocks(100, 1, spread * Math.sqrt(4 / 0.48442), 5), 5)
                                .size(),
                        within(1e-4));
    }

    private static double findable(int family) {
        return found(blocks(100, 1, 0.03 * Math.sqrt(2), 5), family).size();
    }

    private static FindableChange found(List<Block> blocks, int family) {
        return FindableChange.of(effect(blocks), TWO_PERCENT, Judgement.ALPHA / family)
                .orElseThrow();
    }

    /** Where δ decides as much as p does, and where p alone does. */
    @Test
    void change_that_would_be_found_is_found_in_four_of_five_cases() {
        assertThat(power(5, 0.03, 5)).isBetween(0.77, 0.83);
        assertThat(power(20, 0.015, 1)).isBetween(0.77, 0.83);
        assertThat(power(40, 0.01, 5)).isBetween(0.77, 0.83);
    }

    private static double power(int count, double spread, int family) {
        double change = found(blocks(100, 1, spread, count), family).size();
        Random random = new Random(42);
        int rounds = 4000;
        int found = 0;
        for (int i = 0; i < rounds; i++) {
            List<Block> blocks = new ArrayList<>();
            for (int b = 0; b < count; b++) {
                blocks.add(new Block(100, 100 * (1 + change) * Math.exp(spread * random.nextGaussian())));
            }
            Effect effect = effect(blocks);
            found += Verdict.of(effect, Better.LOWER, TWO_PERCENT, Math.min(1, effect.p() * family)) == Verdict.SLOWER
                    ? 1
                    : 0;
        }
        return (double) found / rounds;
    }

    private static Effect effect(List<Block> blocks) {
        return Effect.of(Scale.LN, blocks).orElseThrow();
    }
}
