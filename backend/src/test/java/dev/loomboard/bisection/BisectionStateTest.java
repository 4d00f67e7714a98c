package dev.loomboard.bisection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.stats.bisection.Bisection;
import dev.loomboard.stats.bisection.Bisection.Blocks;
import dev.loomboard.stats.bisection.TwoChanges;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole bisections of seeded changes, the last build's second measurement included. */
final class BisectionStateTest {

    /** Three standard errors and more lie between each limit here and what the search did without the last build once more. */
    private static final int CASES = 200;

    private static final int RERUN = 20;
    private static final int BUILDS = 17;

    /**
     * @param right one build was named, and it brought the change or one of the two
     * @param wrong one was named that brought none
     * @param two two changes were said
     * @param places of these, both places were in their sets
     */
    private record Seen(int right, int wrong, int two, int places, double steps) {}

    @ParameterizedTest
    @CsvSource({"3.0", "1.5", "1.0", "0.6"})
    void one_change_is_named_and_seldom_taken_for_two(double effect) {
        Seen seen = simulate(effect, 0, 42);
        assertThat(seen.right()).as(seen.toString()).isGreaterThan(CASES * 9 / 10);
        assertThat(seen.wrong()).as(seen.toString()).isLessThan(CASES / 40);
        assertThat(seen.two()).as(seen.toString()).isLessThan(CASES / 40);
    }

    /** Without the last build once more one was named alone in 98, 100, 82, 81, 71 and 99.5 % of these. */
    @ParameterizedTest
    @CsvSource({
        "3.0, 3.0, 0.01",
        "3.0, -1.5, 0.25",
        "1.5, 1.5, 0.35",
        "1.0, 2.0, 0.5",
        "1.0, 1.0, 0.6",
        "2.0, 1.0, 0.75"
    })
    void of_two_changes_one_is_less_often_named_alone_and_both_places_are_said(
            double first, double second, double mostNamed) {
        Seen seen = simulate(first, second, 43);
        assertThat(seen.right() + seen.wrong()).as(seen.toString()).isLessThanOrEqualTo((int) (CASES * mostNamed));
        assertThat(seen.places()).as(seen.toString()).isGreaterThanOrEqualTo(seen.two() * 9 / 10);
    }

    @Test
    void last_build_is_measured_once_more_when_one_build_is_left() {
        BisectionState state = state(4, 9).with(step(2, 0.05)).with(step(1, 0));
        assertThat(state.twoChanges()).as("not known yet").isNull();
        assertThat(state.next()).isEqualTo(new BisectionState.Measure(3));
        assertThat(state.with(invalid(3)).next()).isEqualTo(new BisectionState.Measure(3));
        assertThat(state.with(invalid(3)).with(invalid(3)).next())
                .isEqualTo(new BisectionState.End("one build is left"));
        BisectionState one = state.with(step(3, 0.05));
        assertThat(one.next()).isEqualTo(new BisectionState.End("one build is left"));
        assertThat(one.twoChanges()).satisfies(two -> assertThat(two.likely()).isFalse());
    }

    @Test
    void last_build_that_lies_elsewhere_tells_two_changes_and_their_places() {
        BisectionState state = state(5, 9)
                .with(step(2, 0.025))
                .with(step(1, 0))
                .with(step(3, 0.025))
                .with(step(4, 0.05));
        TwoChanges two = Objects.requireNonNull(state.twoChanges());
        assertThat(two.likely()).isTrue();
        assertThat(Bisection.credible(two.first())).containsExactly(2);
        assertThat(Bisection.credible(two.second())).containsExactly(4);
        assertThat(state.next())
                .isEqualTo(new BisectionState.End("two changes explain the measurements better than one"));
    }

    @Test
    void search_keeps_a_step_for_the_last_build_within_what_it_may_take() {
        BisectionState state = state(9, 3).with(step(4, 0)).with(step(6, 0));
        assertThat(state.next()).isEqualTo(new BisectionState.Measure(8));
        assertThat(state.with(invalid(8)).next()).isEqualTo(new BisectionState.End("all 3 steps are used"));
    }

    private static BisectionState state(int builds, int mostSteps) {
        List<String> names =
                IntStream.range(0, builds).mapToObj(i -> "build " + i).toList();
        return new BisectionState(Bisection.of(new Blocks(20, 0.05, 0.005), builds), names, mostSteps, List.of());
    }

    private static BisectionState.Step step(int build, double mean) {
        return new BisectionState.Step(build, new Blocks(4, mean, 0.005), null);
    }

    private static BisectionState.Step invalid(int build) {
        return new BisectionState.Step(build, null, "its run failed");
    }

    /**
     * Spread of a block is 1. The rerun counts only once it is confirmed.
     *
     * @param second 0: there is one change
     */
    private static Seen simulate(double first, double second, long seed) {
        Random random = new Random(seed);
        int right = 0;
        int wrong = 0;
        int said = 0;
        int places = 0;
        long steps = 0;
        for (int cases = 0; cases < CASES; ) {
            Blocks rerun = measure(RERUN, first + second, random);
            if (rerun.mean() < 2.9 * rerun.spread() / Math.sqrt(RERUN)) {
                continue;
            }
            cases++;
            int one = 1 + random.nextInt(second == 0 ? BUILDS - 1 : BUILDS - 3);
            int other = second == 0 ? one : one + 2 + random.nextInt(BUILDS - 2 - one);
            BisectionState ended = search(rerun, first, one, second, other, random);
            List<Integer> credible = Bisection.credible(ended.posterior());
            TwoChanges two = ended.twoChanges();
            boolean likely = two != null && two.likely();
            boolean named = credible.size() == 1 && !likely;
            boolean good = credible.getFirst() == one || credible.getFirst() == other;
            right += named && good ? 1 : 0;
            wrong += named && !good ? 1 : 0;
            said += likely ? 1 : 0;
            steps += ended.steps().size();
            if (two != null && likely) {
                boolean both = new HashSet<>(Bisection.credible(two.first())).contains(one)
                        && new HashSet<>(Bisection.credible(two.second())).contains(other);
                places += both ? 1 : 0;
            }
        }
        return new Seen(right, wrong, said, places, steps / (double) CASES);
    }

    private static BisectionState search(Blocks rerun, double first, int one, double second, int other, Random random) {
        Bisection bisection = Bisection.of(rerun, BUILDS);
        List<String> names =
                IntStream.range(0, BUILDS).mapToObj(i -> "build " + i).toList();
        BisectionState state = new BisectionState(bisection, names, bisection.mostSteps(), List.of());
        while (state.next() instanceof BisectionState.Measure(int build)) {
            double level = (build >= one ? first : 0) + (build >= other ? second : 0);
            state = state.with(new BisectionState.Step(build, measure(bisection.blocks(), level, random), null));
        }
        return state;
    }

    private static Blocks measure(int count, double mean, Random random) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            double difference = mean + random.nextGaussian();
            sum += difference;
            squares += difference * difference;
        }
        return new Blocks(count, sum / count, Math.sqrt((squares - sum * sum / count) / (count - 1)));
    }
}
