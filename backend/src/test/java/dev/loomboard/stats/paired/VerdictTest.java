package dev.loomboard.stats.paired;

import static dev.loomboard.stats.Values.blocks;
import static dev.loomboard.stats.Values.digits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class VerdictTest {

    private static final Margin TWO_PERCENT = new Margin(Scale.LN, 0.02, 0);
    private static final Margin LATENCY = new Margin(Scale.LN, 0.05, Margin.LATENCY_FLOOR_MS);

    @Test
    void effect_has_the_known_interval_and_p() {
        List<Block> blocks = List.of(new Block(10, 11), new Block(20, 22), new Block(5, 8));
        Effect effect = Effect.of(Scale.IDENTITY, blocks).orElseThrow();
        assertThat(effect.size()).isEqualTo(2);
        assertThat(effect.spread()).isCloseTo(1, within(1e-12));
        assertThat(effect.interval().low()).isCloseTo(2 - 2.4841377117503844, within(1e-9));
        assertThat(effect.equivalence().high()).isCloseTo(2 + 2.919985580355516 / Math.sqrt(3), within(1e-9));
        double t = 2 * Math.sqrt(3);
        assertThat(effect.p()).isCloseTo(1 - t / Math.sqrt(2 + t * t), within(1e-12)); // closed form at 2 degrees
    }

    @Test
    void blocks_follow_the_order_abba() {
        assertThat(Block.abba(List.of(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)))
                .containsExactly(new Block(1, 2), new Block(4, 3), new Block(5, 6));
    }

    @Test
    void effect_needs_three_blocks_and_on_the_ln_scale_positive_values() {
        assertThat(Effect.of(Scale.LN, List.of(new Block(1, 2), new Block(1, 2))))
                .isEmpty();
        assertThat(Effect.of(Scale.LN, List.of(new Block(1, 2), new Block(0, 2), new Block(1, 2))))
                .isEmpty();
        assertThatThrownBy(() -> new Block(1, Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_clear_difference_is_faster_or_slower_as_the_metric_has_it() {
        List<Block> blocks = blocks(100, 1.1, 0.004, 6);
        assertThat(judged(blocks, Better.LOWER, TWO_PERCENT).verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(judged(blocks, Better.HIGHER, TWO_PERCENT).verdict()).isEqualTo(Verdict.FASTER);
        assertThat(judged(blocks, Better.LOWER, TWO_PERCENT).furtherBlocks()).isZero();
    }

    @Test
    void a_real_difference_that_is_small_is_equivalent() {
        List<Block> blocks = blocks(100, 1.01, 0.001, 8);
        assertThat(effect(blocks).p()).isLessThan(1e-6);
        assertThat(judged(blocks, Better.LOWER, TWO_PERCENT).verdict()).isEqualTo(Verdict.EQUIVALENT);
    }

    @Test
    void a_fourfold_change_counts_from_the_floor_on() {
        Judgement tiny = judged(blocks(0.010, 4, 0.01, 6), Better.LOWER, LATENCY);
        assertThat(tiny.verdict()).isEqualTo(Verdict.EQUIVALENT); // 30 µs
        assertThat(tiny.margin()).isCloseTo(5, within(0.1)); // 50 µs of 10 µs
        assertThat(judged(blocks(0.7, 4, 0.01, 6), Better.LOWER, LATENCY).verdict())
                .isEqualTo(Verdict.SLOWER);
    }

    @Test
    void adjustment_can_take_a_difference_away() {
        Effect effect = effect(blocks(100, 1.1, 0.04, 6));
        assertThat(effect.p()).isBetween(1e-4, 0.01);
        assertThat(Judgement.of(effect, Better.LOWER, TWO_PERCENT, effect.p(), Judgement.ALPHA)
                        .verdict())
                .isEqualTo(Verdict.SLOWER);
        Judgement among =
                Judgement.of(effect, Better.LOWER, TWO_PERCENT, Math.min(1, effect.p() * 100), Judgement.ALPHA / 100);
        assertThat(among.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(Objects.requireNonNull(among.furtherBlocks())).isBetween(1, 30);
    }

    /** Of six blocks the spread is known to between 0.62 and 2.45 times: so forty trials may be sixteen or two hundred and forty. */
    @Test
    void further_blocks_are_a_range() {
        Judgement judgement = judged(blocks(100, 1, 0.03 * Math.sqrt(2), 6), Better.LOWER, TWO_PERCENT);
        assertThat(Objects.requireNonNull(judgement.furtherBlocks()) + 6).isBetween(14, 19);
        assertThat(Objects.requireNonNull(judgement.furtherBlocksMost()) + 6).isBetween(225, 250);
    }

    @Test
    void an_effect_at_the_margin_is_not_settled_by_any_number_of_trials() {
        List<Block> blocks = blocks(100, 1.0199, 0.05, 4);
        assertThat(judged(blocks, Better.LOWER, TWO_PERCENT).furtherBlocks()).isNull();
        assertThat(judged(blocks(100, 1.016, 0.02, 6), Better.LOWER, TWO_PERCENT)
                        .furtherBlocks())
                .as("within a standard error of the margin a number would be chance")
                .isNull();
        assertThat(judged(blocks(100, 1, 0.1, 6), Better.LOWER, TWO_PERCENT).furtherBlocks())
                .as("equal sides are not near the margin, however much they vary")
                .isNotNull();
    }

    @Test
    void the_decidable_margin_is_where_equivalence_begins() {
        List<Block> blocks = blocks(100, 1.01, 0.03, 6);
        double decidable = judged(blocks, Better.LOWER, TWO_PERCENT).decidable();
        assertThat(judged(blocks, Better.LOWER, new Margin(Scale.LN, decidable * 1.0001, 0))
                        .verdict())
                .isEqualTo(Verdict.EQUIVALENT);
        assertThat(judged(blocks, Better.LOWER, new Margin(Scale.LN, decidable * 0.9999, 0))
                        .verdict())
                .isEqualTo(Verdict.INCONCLUSIVE);
    }

    /** Three blocks of 100 against 110, told in steps of 3: for two degrees of freedom p has a closed form. */
    @Test
    void values_of_one_step_are_not_without_spread() {
        List<Block> same = Collections.nCopies(3, new Block(100, 110));
        Effect effect = Effect.of(Scale.LN, same, 3, 3).orElseThrow();
        double t = Math.log(1.1) / (Math.log(1.03) / Math.sqrt(6) / Math.sqrt(3));
        assertThat(effect.p()).isCloseTo(1 - t / Math.sqrt(t * t + 2), within(1e-12));
        List<Block> equal = Collections.nCopies(3, new Block(100, 100));
        Effect none = Effect.of(Scale.LN, equal, 3, 3).orElseThrow();
        assertThat(none.p()).isEqualTo(1);
        assertThat(none.interval().low()).isLessThan(0.99);
        assertThat(Judgement.of(none, Better.LOWER, TWO_PERCENT, 1, Judgement.ALPHA)
                        .verdict())
                .as("three trials in one step of 3 % say nothing of 2 %")
                .isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(Effect.of(Scale.LN, blocks(100, 1.1, 0.04, 6), 6, 0.1).orElseThrow())
                .as("a spread beyond the step stays as it is")
                .isEqualTo(effect(blocks(100, 1.1, 0.04, 6)));
    }

    @Test
    void counts_that_are_zero_on_one_side_can_be_judged() {
        List<Block> blocks = List.of(new Block(0, 5), new Block(0, 6), new Block(0, 5), new Block(0, 6));
        Effect effect = Effect.of(Scale.IDENTITY, blocks).orElseThrow();
        Margin margin = new Margin(Scale.IDENTITY, 0.05, 0);
        assertThat(Judgement.of(effect, Better.LOWER, margin, effect.p(), Judgement.ALPHA)
                        .verdict())
                .isEqualTo(Verdict.SLOWER);
        List<Block> none = List.of(new Block(0, 0), new Block(0, 0), new Block(0, 0));
        Effect nothing = Effect.of(Scale.IDENTITY, none).orElseThrow();
        assertThat(Judgement.of(nothing, Better.LOWER, margin, 1, Judgement.ALPHA)
                        .verdict())
                .isEqualTo(Verdict.EQUIVALENT);
    }

    @Property(tries = 200)
    void exchanging_the_sides_only_turns_the_verdict_round(
            @ForAll @Size(min = 3, max = 12) List<@DoubleRange(min = 0.8, max = 1.25) Double> ratios,
            @ForAll @IntRange(min = 1, max = 50_000) int micros) {
        double level = micros / 1000.0;
        List<Block> there =
                ratios.stream().map(r -> new Block(level, level * r)).toList();
        List<Block> back = ratios.stream().map(r -> new Block(level * r, level)).toList();
        Verdict one = verdict(there);
        assertThat(verdict(back))
                .isEqualTo(
                        switch (one) {
                            case FASTER -> Verdict.SLOWER;
                            case SLOWER -> Verdict.FASTER;
                            case EQUIVALENT -> Verdict.EQUIVALENT;
                            case INCONCLUSIVE -> Verdict.INCONCLUSIVE;
                            case FAILS_LESS, FAILS_MORE -> throw new AssertionError("of failures alone");
                        });
    }

    private static Verdict verdict(List<Block> blocks) {
        Effect effect = effect(blocks);
        return Verdict.of(effect, Better.LOWER, LATENCY, effect.p());
    }

    /** Few tries: each reckons by power how many further blocks would settle it. */
    @Property(tries = 10)
    void judging_again_gives_the_same_to_the_last_bit(
            @ForAll @Size(min = 3, max = 12) List<@DoubleRange(min = 0.8, max = 1.25) Double> ratios) {
        List<Block> blocks = ratios.stream().map(r -> new Block(100, 100 * r)).toList();
        assertThat(judged(blocks, Better.LOWER, LATENCY)).isEqualTo(judged(blocks, Better.LOWER, LATENCY));
    }

    @Test
    void family_has_the_known_adjusted_p() {
        assertThat(Family.adjusted(List.of(0.01, 0.04, 0.03, 0.005))).containsExactly(0.02, 0.04, 0.04, 0.02);
        assertThat(Family.adjusted(List.of())).isEmpty();
        assertThatThrownBy(() -> Family.adjusted(List.of(Double.NaN))).hasMessageContaining("at 0");
    }

    @Test
    void a_test_that_could_not_be_made_stays_in_the_family() {
        Double[] adjusted = Family.adjusted(Arrays.asList(0.004, null, null));
        assertThat(adjusted[0]).isCloseTo(0.012, within(1e-15));
        assertThat(adjusted[1]).isNull();
    }

    @Property(tries = 200)
    void adjusting_raises_p_and_keeps_their_order(
            @ForAll @Size(min = 1, max = 30) List<@DoubleRange(min = 0, max = 1) Double> p) {
        Double[] adjusted = Family.adjusted(p);
        for (int i = 0; i < adjusted.length; i++) {
            assertThat(adjusted[i]).isBetween(p.get(i), 1.0);
            for (int k = 0; k < adjusted.length; k++) {
                if (p.get(i) < p.get(k)) {
                    assertThat(adjusted[i]).isLessThanOrEqualTo(adjusted[k]);
                }
            }
        }
    }

    @Test
    void mann_and_whitneys_least_p_are_the_specifications() {
        double[] known = {0.0079, 0.0022, 0.00058, 0.00016};
        for (int n = 5; n <= 8; n++) {
            List<Double> low = new ArrayList<>();
            List<Double> high = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                low.add((double) i);
                high.add(100.0 + i);
            }
            assertThat(MannWhitney.p(low, high)).isCloseTo(known[n - 5], digits(known[n - 5], 2));
            assertThat(MannWhitney.least(n, n)).isCloseTo(MannWhitney.p(low, high), within(1e-15));
        }
    }

    @Test
    void mann_and_whitney_count_ties() {
        assertThat(MannWhitney.p(List.of(1.0, 1.0), List.of(1.0, 1.0))).isEqualTo(1);
        // Of the 10 choices of two of the ranks 1.5 1.5 3 4.5 4.5, those of the sums 3 and 9 lie as far out: 2.
        assertThat(MannWhitney.p(List.of(1.0, 1.0), List.of(2.0, 3.0, 3.0))).isCloseTo(0.2, within(1e-15));
    }

    @Property(tries = 100)
    void mann_and_whitney_know_no_side(
            @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 0, max = 9) Integer> a,
            @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 0, max = 9) Integer> b) {
        List<Double> left = a.stream().map(Integer::doubleValue).toList();
        List<Double> right = b.stream().map(Integer::doubleValue).toList();
        double p = MannWhitney.p(left, right);
        assertThat(p).isBetween(MannWhitney.least(a.size(), b.size()) * 0.5, 1.0);
        assertThat(MannWhitney.p(right, left)).isCloseTo(p, within(1e-12));
        List<Double> cubes = left.stream().map(v -> v * v * v).toList();
        assertThat(MannWhitney.p(cubes, right.stream().map(v -> v * v * v).toList()))
                .isEqualTo(p);
    }

    @Test
    void checks_that_contradict_the_blocks_are_flagged() {
        List<Block> drifting = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            double level = 100 * Math.pow(1.1, i);
            drifting.add(new Block(level, level * (1.03 + 0.001 * (i % 2)))); // only pairing sees it
        }
        CrossChecks checks = CrossChecks.of(effect(drifting), drifting);
        assertThat(checks.welch()).isGreaterThan(0.05);
        assertThat(checks.disagreement()).contains("Welch").contains("Mann");
        List<Block> plain = blocks(100, 1.1, 0.01, 6);
        assertThat(CrossChecks.of(effect(plain), plain).disagreement()).isNull();
        List<Block> few = drifting.subList(0, 4); // of four a side Mann and Whitney cannot decide, so do not contradict
        assertThat(CrossChecks.of(effect(few), few).disagreement()).doesNotContain("Mann");
    }

    @Test
    void asymmetric_exclusions_block() {
        assertThat(new Exclusions(0, 5, 2, 5).asymmetry())
                .hasValue("0 of 5 trials of the baseline and 2 of 5 of the candidate were excluded");
        assertThat(new Exclusions(0, 40, 8, 40).asymmetry()).isPresent(); // a fifth, but of many
        assertThat(new Exclusions(0, 5, 1, 5).asymmetry()).isEmpty();
        assertThat(new Exclusions(3, 10, 3, 10).asymmetry()).isEmpty();
        assertThat(new Exclusions(0, 0, 0, 0).asymmetry()).isEmpty();
        assertThatThrownBy(() -> new Exclusions(6, 5, 0, 5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void fishers_test_has_the_known_p() {
        assertThat(new Exclusions(3, 4, 1, 4).fisher()).isCloseTo(0.4857142857142857, within(1e-12));
        assertThat(new Exclusions(0, 5, 0, 5).fisher()).isCloseTo(1, within(1e-12));
    }

    @Test
    void equal_sides_are_rarely_different_and_intervals_hold_what_they_promise() {
        Random random = new Random(1);
        int cried = 0;
        int covered = 0;
        int rounds = 4000;
        for (int round = 0; round < rounds; round++) {
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                blocks.add(new Block(Math.exp(0.03 * random.nextGaussian()), Math.exp(0.03 * random.nextGaussian())));
            }
            Effect effect = effect(blocks);
            cried += Verdict.of(effect, Better.LOWER, TWO_PERCENT, effect.p()).differs() ? 1 : 0;
            Effect.Interval interval = effect.interval();
            covered += interval.low() <= 1 && 1 <= interval.high() ? 1 : 0;
        }
        assertThat(cried / (double) rounds).isBetween(0.004, 0.014);
        assertThat(covered / (double) rounds).isBetween(0.94, 0.96);
    }

    private static Effect effect(List<Block> blocks) {
        return Effect.of(Scale.LN, blocks).orElseThrow();
    }

    private static Judgement judged(List<Block> blocks, Better better, Margin margin) {
        Effect effect = effect(blocks);
        return Judgement.of(effect, better, margin, effect.p(), Judgement.ALPHA);
    }
}
