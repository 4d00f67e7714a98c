package dev.loomboard.stats.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.paired.AlphaSpending;
import dev.loomboard.stats.paired.Block;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.stats.paired.Judgement;
import dev.loomboard.stats.paired.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Looks that are counted: what they spend, and what a rerun of them finds, by drawing it. */
final class SequentialRerunTest {

    private static final Margin MARGIN = new Margin(Scale.LN, 0.02, 0);
    private static final ChangePoint SLOWER = new ChangePoint(0, 9, 1e-6, 1, 1.05);
    private static final int ROUNDS = 6000;

    @Test
    void looks_spend_the_square_of_what_was_seen() {
        assertThat(AlphaSpending.spent(0.01, 9 / 20.0)).isCloseTo(0.002025, within(1e-12));
        assertThat(AlphaSpending.spent(0.01, 1)).isEqualTo(0.01);
        List<Double> needed = AlphaSpending.needed(0.002, List.of(8 / 44.0, 16 / 44.0, 28 / 44.0, 1.0));
        assertThat(needed.getFirst()).as("one look spends what it needs").isCloseTo(0.002 * 64 / 1936, within(1e-12));
        assertThat(needed).isSorted().allMatch(p -> p < 0.002);
        assertThat(AlphaSpending.needed(0.05, List.of(1.0)).getFirst()).isCloseTo(0.05, within(1e-12));
        assertThatThrownBy(() -> AlphaSpending.needed(0.05, List.of(0.5, 0.5))).hasMessageContaining("must grow");
    }

    /** The same sum of normal draws at each look, against the p that it needs there. */
    @Test
    void looks_together_are_wrong_as_often_as_was_allowed() {
        double alpha = 0.05;
        List<Double> fractions = List.of(0.2, 0.5, 0.6, 1.0);
        List<Double> needed = AlphaSpending.needed(alpha, fractions);
        Random random = new Random(5);
        int rounds = 200_000;
        int[] crossed = new int[fractions.size()];
        for (int round = 0; round < rounds; round++) {
            double sum = 0;
            double before = 0;
            for (int k = 0; k < crossed.length; k++) {
                sum += random.nextGaussian() * Math.sqrt(fractions.get(k) - before);
                before = fractions.get(k);
                double bound = -NormalDistribution.of(0, 1).inverseCumulativeProbability(needed.get(k) / 2);
                if (Math.abs(sum) / Math.sqrt(before) > bound) {
                    crossed[k]++;
                    break;
                }
            }
        }
        int all = 0;
        for (int k = 0; k < crossed.length; k++) {
            all += crossed[k];
            assertThat(all / (double) rounds)
                    .as("up to look %d", k + 1)
                    .isCloseTo(AlphaSpending.spent(alpha, fractions.get(k)), within(0.0017));
        }
    }

    /** By simulation apart from this code: launch spread, true change, share found, and blocks on average. */
    @ParameterizedTest
    @CsvSource({
        "0.015, 0.03, 0.99, 1.00, 20, 24",
        "0.025, 0.03, 0.91, 0.95, 33, 37",
        "0.025, 0.05, 0.99, 1.00, 20, 24",
        "0.025, 0.10, 0.99, 1.00, 13, 16",
        "0.040, 0.03, 0.33, 0.40, 41, 44",
        "0.040, 0.05, 0.94, 0.98, 32, 36"
    })
    void rerun_finds_what_its_blocks_can_show(
            double spread, double change, double least, double most, double fewest, double longest) {
        Drawn drawn = drawn(spread, change);
        assertThat(drawn.confirmed / (double) ROUNDS).isBetween(least, most);
        assertThat(drawn.blocks / (double) ROUNDS).isBetween(fewest, longest);
    }

    @Test
    void equal_builds_are_cleared_and_hardly_ever_called_slower() {
        Drawn drawn = drawn(0.025, 0);
        assertThat(drawn.confirmed / (double) ROUNDS).isLessThanOrEqualTo(0.001);
        assertThat(drawn.cleared / (double) ROUNDS).isBetween(0.95, 0.98);
        assertThat(drawn.blocks / (double) ROUNDS).isBetween(24.0, 28.0);
        Drawn wide = drawn(0.065, 0);
        assertThat(wide.confirmed / (double) ROUNDS).isLessThanOrEqualTo(0.002);
        assertThat(wide.cleared / (double) ROUNDS)
                .as("too little power is no clearance")
                .isLessThan(0.2);
    }

    @Test
    void a_look_says_how_many_blocks_the_next_one_has_and_the_last_none() {
        assertThat(looks(8).further()).isEqualTo(8);
        assertThat(looks(8, 14).further()).as("what was lost is made up for").isEqualTo(14);
        assertThat(looks(8, 16, 28, 44).further()).isZero();
    }

    @Test
    void a_look_that_brought_nothing_decides_nothing_and_costs_nothing() {
        assertThat(looks(3).adjusted(1e-9)).isLessThan(Judgement.ALPHA);
        assertThat(looks(3, 3).adjusted(1e-9)).isEqualTo(1);
        assertThat(looks(8, 16, 28, 44, 60).adjusted(1e-9)).as("all is spent").isEqualTo(1);
        assertThat(looks(0, 3).neededP()).isEqualTo(looks(3).neededP());
        assertThat(looks(8, 16).neededP()).isLessThan(looks(16).neededP());
    }

    @Test
    void a_verdict_answers_what_was_suspected() {
        assertThat(SequentialRerun.answer(SLOWER, Better.LOWER, Verdict.SLOWER))
                .isEqualTo(SequentialRerun.Answer.CONFIRMED);
        assertThat(SequentialRerun.answer(SLOWER, Better.LOWER, Verdict.FASTER))
                .isEqualTo(SequentialRerun.Answer.CLEARED);
        assertThat(SequentialRerun.answer(SLOWER, Better.LOWER, Verdict.EQUIVALENT))
                .isEqualTo(SequentialRerun.Answer.CLEARED);
        assertThat(SequentialRerun.answer(SLOWER, Better.LOWER, Verdict.INCONCLUSIVE))
                .isEqualTo(SequentialRerun.Answer.OPEN);
    }

    private static SequentialRerun looks(Integer... blocks) {
        return new SequentialRerun(List.of(blocks));
    }

    private static final class Drawn {
        private int confirmed;
        private int cleared;
        private long blocks;
    }

    private static Drawn drawn(double spread, double change) {
        Random random = new Random(17);
        Drawn drawn = new Drawn();
        for (int round = 0; round < ROUNDS; round++) {
            List<Block> blocks = new ArrayList<>();
            List<Integer> looks = new ArrayList<>();
            SequentialRerun.Answer answer;
            int further = SequentialRerun.LOOKS.getFirst();
            do {
                for (int i = 0; i < further; i++) {
                    blocks.add(new Block(
                            Math.exp(spread * random.nextGaussian()),
                            Math.exp(Math.log1p(change) + spread * random.nextGaussian())));
                }
                looks.add(blocks.size());
                SequentialRerun rerun = new SequentialRerun(looks);
                Effect effect = Effect.of(Scale.LN, blocks).orElseThrow();
                Verdict verdict = Verdict.of(effect, Better.LOWER, MARGIN, rerun.adjusted(effect.p()));
                answer = SequentialRerun.answer(SLOWER, Better.LOWER, verdict);
                further = answer == SequentialRerun.Answer.OPEN ? rerun.further() : 0;
            } while (further > 0);
            drawn.confirmed += answer == SequentialRerun.Answer.CONFIRMED ? 1 : 0;
            drawn.cleared += answer == SequentialRerun.Answer.CLEARED ? 1 : 0;
            drawn.blocks += blocks.size();
        }
        return drawn;
    }
}
