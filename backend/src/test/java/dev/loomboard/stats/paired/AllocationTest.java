package dev.loomboard.stats.paired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.paired.Allocation.Need;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class AllocationTest {

    private static final Margin TWO_PERCENT = new Margin(Scale.LN, 0.02, 0);

    /** t(4, 0.975) = 2.7764451: ⌈(2.7764451 × 0.03 ÷ 0.02)²⌉ = ⌈17.34⌉. */
    @Test
    void blocks_are_stein_s() {
        Effect pilot = pilot(0.03, 0);
        assertThat(pilot.spread()).isCloseTo(0.03, within(1e-12));
        assertThat(Allocation.needed(pilot, 0.02)).isEqualTo(18);
        assertThat(Allocation.needed(pilot, 1)).as("never fewer than there are").isEqualTo(5);
        assertThat(Allocation.needed(pilot(0, 0), 0.02)).isEqualTo(5);
    }

    @Test
    void how_large_the_effect_is_plays_no_part() {
        Effect none = pilot(0.03, 0);
        Effect large = pilot(0.03, 0.5);
        assertThat(Allocation.goal(large, TWO_PERCENT)).isCloseTo(Math.log(1.02), within(1e-12));
        assertThat(Allocation.needed(large, Allocation.goal(large, TWO_PERCENT)))
                .isEqualTo(Allocation.needed(none, Allocation.goal(none, TWO_PERCENT)));
    }

    @Test
    void smallest_needs_are_met_first_and_none_by_half() {
        Need large = new Need(1, 2, 20);
        Need small = new Need(3, 4, 8);
        Need shared = new Need(4, 5, 9);
        assertThat(Allocation.of(List.of(large, small, shared), 5, 20))
                .as("6 for the small one, 1 and 4 for the one that shares a cell, and 30 are too many")
                .isEqualTo(new Allocation(Map.of(3L, 8, 4L, 9, 5L, 9), 11, List.of(large)));
        assertThat(Allocation.of(List.of(large, small), 5, 5))
                .isEqualTo(new Allocation(Map.of(), 0, List.of(large, small)));
        assertThat(Allocation.of(List.of(new Need(1, 2, 5)), 5, 5)).isEqualTo(new Allocation(Map.of(), 0, List.of()));
        assertThat(Allocation.of(List.of(new Need(1, 2, 101)), 5, 1000).trials())
                .isZero();
    }

    /** A comparison whose cells others raised is met by that. */
    @Test
    void need_that_others_meet_costs_nothing() {
        List<Need> needs = List.of(new Need(1, 2, 10), new Need(3, 4, 10), new Need(1, 3, 10));
        assertThat(Allocation.of(needs, 5, 20))
                .isEqualTo(new Allocation(Map.of(1L, 10, 2L, 10, 3L, 10, 4L, 10), 20, List.of()));
    }

    /**
     * Five blocks decide how many follow. By the spread of all of them the interval of 95 % would cover less than 94 %, since
     * where the first happened to vary little there are few.
     */
    @Test
    void interval_and_p_hold_where_the_spread_decided_how_many_blocks_there_are() {
        Random random = new Random(41);
        int series = 20_000;
        int byPilot = 0;
        int byAll = 0;
        int wrong = 0;
        for (int i = 0; i < series; i++) {
            List<Block> blocks = blocks(random, 5);
            int needed = Allocation.needed(Effect.of(Scale.LN, blocks).orElseThrow(), 0.02);
            blocks.addAll(blocks(random, Math.min(needed, Allocation.MOST_BLOCKS) - 5));
            Effect stein = Effect.of(Scale.LN, blocks, 5).orElseThrow();
            byPilot += covers(stein) ? 1 : 0;
            byAll += covers(Effect.of(Scale.LN, blocks).orElseThrow()) ? 1 : 0;
            wrong += stein.p() < 0.01 ? 1 : 0;
        }
        assertThat(byPilot / (double) series).isBetween(0.945, 0.955);
        assertThat(wrong / (double) series).isBetween(0.008, 0.012);
        assertThat(byAll / (double) series).isLessThan(0.94);
    }

    @Test
    void interval_is_no_wider_than_the_goal_once_the_blocks_are_made() {
        Random random = new Random(42);
        for (int i = 0; i < 200; i++) {
            List<Block> blocks = blocks(random, 5);
            int needed = Allocation.needed(Effect.of(Scale.LN, blocks).orElseThrow(), 0.02);
            blocks.addAll(blocks(random, needed - 5));
            Effect.Interval interval =
                    Effect.of(Scale.LN, blocks, 5).orElseThrow().interval();
            assertThat(Math.log(interval.high() / interval.low()) / 2).isLessThanOrEqualTo(0.02 + 1e-12);
        }
    }

    private static boolean covers(Effect effect) {
        return effect.interval().low() <= 1 && effect.interval().high() >= 1;
    }

    /** Equal sides whose blocks vary by 3 %. */
    private static List<Block> blocks(Random random, int count) {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(new Block(100, 100 * Math.exp(0.03 * random.nextGaussian())));
        }
        return blocks;
    }

    /** Five blocks with exactly this spread around this effect. */
    private static Effect pilot(double spread, double effect) {
        double[] standard = {-1, 1, 0, -1, 1};
        return Effect.of(
                        Scale.LN,
                        Arrays.stream(standard)
                                .mapToObj(z -> new Block(100, 100 * Math.exp(effect + spread * z)))
                                .toList())
                .orElseThrow();
    }
}
