package dev.loomboard.verdict;

import static dev.loomboard.verdict.JudgedTrials.METRIC;
import static dev.loomboard.verdict.JudgedTrials.ONE;
import static dev.loomboard.verdict.JudgedTrials.SCENARIO;
import static dev.loomboard.verdict.JudgedTrials.STILL;
import static dev.loomboard.verdict.JudgedTrials.one;
import static dev.loomboard.verdict.JudgedTrials.sides;
import static dev.loomboard.verdict.JudgedTrials.times;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.stats.change.SequentialRerun;
import dev.loomboard.stats.paired.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a verdict costs when blocks were cut short, when the first of them decided how many follow, and at the looks of a rerun. */
final class RunLayoutTest {

    /** Its p is 0.0015: enough where seven blocks were planned, not where their owner stopped looking at the seventh of twenty. */
    @Test
    void run_that_was_cut_short_has_spent_only_its_part_of_the_error() {
        List<RunTrial> trials = sides(STILL, new double[] {110, 103, 112, 104, 113, 105, 108});
        Outcome whole = one(trials);
        assertThat(whole.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(new VerdictText(whole, 1).doubts()).isEmpty();
        Outcome cut = Judge.of(ONE, trials, new RunLayout(20, true, null)).getFirst();
        assertThat(cut.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(Objects.requireNonNull(cut.decision().adjustedP()))
                .isCloseTo(Objects.requireNonNull(whole.decision().adjustedP()) / (0.35 * 0.35), within(1e-12));
        assertThat(new VerdictText(cut, 1).doubts()).containsExactly("cut short: 7 of 20 blocks");
        assertThat(Judge.of(ONE, trials, new RunLayout(20, false, null)).getFirst())
                .as("what was lost was not looked at")
                .isEqualTo(whole);
        assertThat(Judge.of(ONE, trials, new RunLayout(7, true, null)).getFirst())
                .as("all had come")
                .isEqualTo(whole);
    }

    /** Where the first five blocks decided that there are seven, these five tell the error, of what is imputed too. */
    @Test
    void spread_of_the_pilot_alone_tells_the_error_of_further_blocks() {
        double[] candidate = {110, 103, 112, 104, 113, 109, 109};
        RunLayout layout = new RunLayout(7, false, null, 5);
        Outcome all = one(sides(STILL, candidate));
        Outcome piloted = Judge.of(ONE, sides(STILL, candidate), layout).getFirst();
        assertThat(piloted.found().effect()).isEqualTo(all.found().effect());
        assertThat(Objects.requireNonNull(piloted.found().high()))
                .as("four degrees of freedom in place of six, and the two calm blocks tell nothing of the spread")
                .isGreaterThan(Objects.requireNonNull(all.found().high()) + 0.01);
        assertThat(all.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(piloted.found().degrees()).isEqualTo(4);
        assertThat(all.found().degrees()).isEqualTo(6);
        assertThat(piloted.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(Judge.of(ONE, sides(STILL, candidate), new RunLayout(7, false, null, 7))
                        .getFirst())
                .as("no block came after the pilot")
                .isEqualTo(all);
    }

    @Test
    void test_whose_cells_got_further_trials_is_cut_short_by_its_own_number() {
        List<RunTrial> trials = sides(STILL, times(STILL, 1.1));
        List<Judge.Test> given = List.of(new Judge.Test(7, TestDimension.JDK, 1, 2, METRIC, SCENARIO, 20));
        assertThat(Judge.of(given, trials, new RunLayout(7, true, null, 7))
                        .getFirst()
                        .looked())
                .isEqualTo(new Outcome.Looked(null, 20));
        assertThat(Judge.of(ONE, trials, new RunLayout(7, true, null, 7))
                        .getFirst()
                        .looked())
                .isEqualTo(new Outcome.Looked(null, null));
    }

    @Test
    void change_that_would_be_found_is_larger_in_a_family_and_where_blocks_were_cut_short() {
        List<RunTrial> trials = sides(STILL, new double[] {110, 103, 112, 104, 113, 105, 108});
        double alone = findable(ONE, trials, RunLayout.AT_ONCE);
        List<Judge.Test> family = new ArrayList<>(ONE);
        family.add(new Judge.Test(8, TestDimension.JDK, 3, 4, METRIC, SCENARIO)); // nothing was measured of them
        assertThat(findable(family, trials, RunLayout.AT_ONCE)).isGreaterThan(alone);
        assertThat(findable(ONE, trials, new RunLayout(20, true, null))).isGreaterThan(alone);
        assertThat(findable(ONE, trials, new RunLayout(7, true, null)))
                .as("all had come")
                .isEqualTo(alone);
    }

    private static double findable(List<Judge.Test> family, List<RunTrial> trials, RunLayout layout) {
        return Objects.requireNonNull(Judge.of(family, trials, layout)
                .getFirst()
                .decision()
                .findable()
                .size());
    }

    @Test
    void look_at_a_rerun_is_judged_by_the_blocks_of_all_and_by_what_is_left_to_spend() {
        List<RunTrial> first = sides(STILL, times(STILL, 1.001));
        List<RunTrial> second = sides(STILL, new double[] {110, 103, 112, 104, 113, 105, 108}).stream()
                .map(t -> t.at(t.cell(), RunTrial.TRIALS_OF_A_LOOK + t.ordinal()))
                .toList();
        List<RunTrial> both = new ArrayList<>(second);
        both.addAll(first);
        Outcome outcome = Judge.of(ONE, both, new RunLayout(9, false, 2)).getFirst();
        assertThat(outcome.blocks()).isEqualTo(14);
        double p = Objects.requireNonNull(outcome.decision().p());
        assertThat(outcome.decision().adjustedP())
                .isEqualTo(new SequentialRerun(List.of(7, 14)).adjusted(p))
                .isNotEqualTo(p);
        assertThat(new VerdictText(outcome, 4).basis()).contains("at look 2 of 4", "14 blocks");
    }

    @Test
    void size_that_a_rerun_reports_is_said_to_be_selected() {
        Outcome found = Judge.of(ONE, sides(STILL, times(STILL, 1.1)), new RunLayout(8, false, 1))
                .getFirst();
        assertThat(found.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(new VerdictText(found, 4).doubts())
                .anyMatch(doubt -> doubt.startsWith("the size may be overestimated"));
        Outcome still =
                Judge.of(ONE, sides(STILL, STILL), new RunLayout(8, false, 1)).getFirst();
        assertThat(new VerdictText(still, 4).doubts()).isEmpty();
        assertThat(new VerdictText(one(sides(STILL, times(STILL, 1.1))), 4).selected())
                .as("of a run that was planned whole nothing was selected")
                .isNull();
    }

    /** Between two looks a kernel may have come; within one it may not. */
    @Test
    void host_may_change_from_look_to_look() {
        List<RunTrial> trials = new ArrayList<>(sides(STILL, times(STILL, 1.1)));
        sides(STILL, times(STILL, 1.1))
                .forEach(t -> trials.add(new RunTrial(
                        t.cell(),
                        RunTrial.TRIALS_OF_A_LOOK + t.ordinal(),
                        t.fencing(),
                        t.state(),
                        t.validity(),
                        t.steady(),
                        t.serverDigest(),
                        "another host",
                        t.metrics())));
        assertThat(Judge.of(ONE, trials, new RunLayout(8, false, 2)).getFirst().verdict())
                .isEqualTo(Verdict.SLOWER);
    }
}
