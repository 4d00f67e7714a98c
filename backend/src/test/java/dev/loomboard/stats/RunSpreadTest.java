package dev.loomboard.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RunSpreadTest {

    @Test
    void it_is_assumed_until_five_runs_of_a_build_are_known() {
        assertThat(RunSpread.of(List.of())).isEqualTo(new RunSpread(0.02, true));
        assertThat(RunSpread.of(List.of(runs(1, 1, 1, 1.1, 1, 1.1)))).isEqualTo(RunSpread.ASSUMED);
        assertThat(RunSpread.of(List.of(runs(1, 1, 1, 1.1, 1, 1.1, 1))).assumed())
                .isFalse();
    }

    /** Means of ln 1.1 apart, two against three: variance 0.3·ln²1.1 over 4; its upper 90 % limit by χ² of 4 degrees, 1.0636. */
    @Test
    void it_is_the_upper_limit_of_what_means_of_runs_differ_by() {
        double limit = Math.sqrt(1.2 * Math.pow(Math.log(1.1), 2) / 1.063623);
        RunSpread spread = RunSpread.of(List.of(runs(1, 1, 1, 1.1, 1, 1.1, 1)));
        assertThat(spread.spread()).isBetween(limit, limit * 1.1).isCloseTo(0.11, within(1e-12));
    }

    /** The same means, of trials that vary as much: nothing is left for runs to explain. */
    @Test
    void what_trials_explain_is_not_the_runs() {
        List<RunSpread.Measured> runs = new ArrayList<>();
        double[] means = {1, 1.01, 1, 1.01, 1};
        for (int run = 0; run < means.length; run++) {
            runs.add(new RunSpread.Measured(run, List.of(means[run] * 0.9, means[run] / 0.9)));
        }
        assertThat(RunSpread.of(List.of(new RunSpread.Repeats(1, runs)))).isEqualTo(new RunSpread(0, false));
    }

    /** Three cells of the same three runs share what was particular to these: two degrees of freedom, not six. */
    @Test
    void cells_of_one_run_count_once_and_builds_of_their_own_runs_by_themselves() {
        RunSpread.Repeats cell = runs(1, 1, 1, 1.1, 1.2);
        assertThat(RunSpread.of(List.of(cell, cell, cell)).assumed()).isTrue();
        RunSpread.Repeats otherBuild = runs(2, 10, 1, 1.1, 1.2);
        assertThat(RunSpread.of(List.of(cell, otherBuild)).assumed()).isFalse();
        RunSpread.Repeats once = runs(3, 20, 1);
        assertThat(RunSpread.of(List.of(cell, once, once, once)).assumed()).isTrue();
    }

    /** As promised of the limit: below the truth once in ten. */
    @Test
    void limit_is_above_the_truth_in_nine_of_ten() {
        Random random = new Random(3);
        int above = 0;
        for (int round = 0; round < 2000; round++) {
            List<RunSpread.Measured> runs = new ArrayList<>();
            for (int run = 0; run < 8; run++) {
                double at = 0.03 * random.nextGaussian();
                runs.add(new RunSpread.Measured(
                        run,
                        Stream.generate(() -> Math.exp(at + 0.03 * random.nextGaussian()))
                                .limit(5)
                                .toList()));
            }
            above += RunSpread.of(List.of(new RunSpread.Repeats(1, runs))).spread() >= 0.03 ? 1 : 0;
        }
        assertThat(above / 2000.0).isBetween(0.89, 0.95);
    }

    /**
     * One trial a run.
     *
     * @param first key of the first run
     */
    private static RunSpread.Repeats runs(long build, long first, double... means) {
        List<RunSpread.Measured> runs = new ArrayList<>();
        for (double mean : means) {
            runs.add(new RunSpread.Measured(first + runs.size(), List.of(mean)));
        }
        return new RunSpread.Repeats(build, runs);
    }
}
