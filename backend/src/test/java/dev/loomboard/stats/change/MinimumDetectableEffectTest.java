package dev.loomboard.stats.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.stats.Autocorrelation;
import dev.loomboard.stats.Better;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.paired.Block;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.stats.paired.Power;
import dev.loomboard.stats.paired.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The smallest change that is promised to be seen, against seeded draws that are really looked at. */
final class MinimumDetectableEffectTest {

    private static final Margin MARGIN = new Margin(Scale.LN, 0.02, 0);
    private static final int ROUNDS = 2000;

    @Test
    void what_its_history_promises_is_confirmed_in_four_cases_of_five() {
        Random random = new Random(11);
        MinimumDetectableEffect seen =
                MinimumDetectableEffect.of(MARGIN, List.of(noise(random, 400, 0.03, 0)), single());
        double change = Math.log1p(Objects.requireNonNull(seen.byHistory()));
        int confirmed = 0;
        for (int i = 0; i < ROUNDS; i++) {
            confirmed += Confirmation.of(
                                    MARGIN,
                                    noise(random, FollowUpPolicy.POINTS, 0.03, 0),
                                    noise(random, FollowUpPolicy.POINTS, 0.03, change),
                                    Objects.requireNonNull(seen.r()))
                            .confirmed()
                    ? 1
                    : 0;
        }
        assertThat(seen.points()).isEqualTo(400);
        assertThat(confirmed / (double) ROUNDS).isCloseTo(Power.WANTED, within(0.07));
    }

    @Test
    void what_a_rerun_promises_is_a_verdict_in_four_cases_of_five() {
        Random random = new Random(12);
        List<List<Double>> trials = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            trials.add(noise(random, 5, 0.03, 0));
        }
        MinimumDetectableEffect seen = MinimumDetectableEffect.of(MARGIN, List.of(noise(random, 10, 0.03, 0)), trials);
        double change = Math.log1p(Objects.requireNonNull(seen.byRerun()));
        int slower = 0;
        for (int i = 0; i < ROUNDS; i++) {
            List<Double> one = noise(random, SequentialRerun.MOST_BLOCKS, 0.03, 0);
            List<Double> other = noise(random, SequentialRerun.MOST_BLOCKS, 0.03, change);
            List<Block> blocks = new ArrayList<>();
            for (int b = 0; b < SequentialRerun.MOST_BLOCKS; b++) {
                blocks.add(new Block(one.get(b), other.get(b)));
            }
            Effect effect = Effect.of(Scale.LN, blocks).orElseThrow();
            double adjusted = new SequentialRerun(SequentialRerun.LOOKS).adjusted(effect.p());
            slower += Verdict.of(effect, Better.LOWER, MARGIN, adjusted) == Verdict.SLOWER ? 1 : 0;
        }
        assertThat(slower / (double) ROUNDS).isCloseTo(Power.WANTED, within(0.05));
    }

    /** χ² of 8 degrees of freedom: 2.179731 and 17.534546 leave 2.5 % on either side (NIST/SEMATECH, table 1.3.6.7.4). */
    @Test
    void spread_of_few_trials_gives_a_range_and_of_many_a_figure() {
        Random random = new Random(13);
        MinimumDetectableEffect few = MinimumDetectableEffect.of(
                MARGIN,
                List.of(noise(random, 400, 0.03, 0)),
                List.of(noise(random, 5, 0.2, 0), noise(random, 5, 0.2, 0)));
        double size = Math.log1p(Objects.requireNonNull(few.byRerun()));
        MinimumDetectableEffect.Range range = Objects.requireNonNull(few.rerunRange());
        assertThat(Math.log1p(range.low()) / size).isCloseTo(Math.sqrt(8 / 17.534546), within(1e-6));
        assertThat(Math.log1p(range.high()) / size).isCloseTo(Math.sqrt(8 / 2.179731), within(1e-6));
        assertThat(few.historyRange()).as("of 399 degrees of freedom").isNull();
        MinimumDetectableEffect many = MinimumDetectableEffect.of(
                MARGIN, List.of(noise(random, 400, 0.03, 0)), List.of(noise(random, 21, 0.2, 0)));
        assertThat(many.rerunRange()).as("of 20 degrees of freedom").isNull();
        assertThat(MinimumDetectableEffect.of(
                                MARGIN, List.of(noise(random, 400, 0.03, 0)), List.of(noise(random, 20, 0.2, 0)))
                        .rerunRange())
                .isNotNull();
    }

    /** Trials that hardly vary would show a thousandth, which no verdict calls a change. */
    @Test
    void nothing_below_the_margin_is_promised() {
        MinimumDetectableEffect still =
                MinimumDetectableEffect.of(MARGIN, List.of(noise(new Random(1), 50, 0.0001, 0)), single());
        assertThat(Objects.requireNonNull(still.byRerun())).isBetween(0.02, 0.0203);
        assertThat(Objects.requireNonNull(still.byHistory())).isBetween(0.02, 0.0203);
    }

    @Test
    void a_step_between_levels_is_no_spread() {
        List<List<Double>> levels = List.of(noise(new Random(2), 30, 0.01, 0), noise(new Random(3), 30, 0.01, 1));
        assertThat(Objects.requireNonNull(
                        MinimumDetectableEffect.of(MARGIN, levels, single()).pointSpread()))
                .isCloseTo(0.01, within(0.002));
    }

    @Test
    void what_is_not_known_is_not_promised() {
        MinimumDetectableEffect young =
                MinimumDetectableEffect.of(MARGIN, List.of(noise(new Random(4), 12, 0.03, 0)), single());
        assertThat(young.r()).isNull();
        assertThat(young.byHistory()).isNull();
        assertThat(young.byRerun()).as("from points of one trial each").isNotNull();
        MinimumDetectableEffect empty = MinimumDetectableEffect.of(MARGIN, List.of(), List.of());
        assertThat(empty.pointSpread()).isNull();
        assertThat(empty.byRerun()).isNull();
        List<Double> drift = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            drift.add(100 + i * 0.1);
        }
        MinimumDetectableEffect drifting = MinimumDetectableEffect.of(MARGIN, List.of(drift), single());
        assertThat(drifting.r()).isEqualTo(Autocorrelation.MOST);
        assertThat(drifting.byHistory()).as("12 points are worth less than one").isNull();
    }

    private static List<List<Double>> single() {
        return List.of(List.of(1.0));
    }

    private static List<Double> noise(Random random, int count, double spread, double shift) {
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(100 * Math.exp(shift + spread * random.nextGaussian()));
        }
        return values;
    }
}
