package dev.loomboard.verdict;

import static dev.loomboard.verdict.JudgedTrials.METRIC;
import static dev.loomboard.verdict.JudgedTrials.one;
import static dev.loomboard.verdict.JudgedTrials.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.TrialState;
import dev.loomboard.stats.paired.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What trials that were lost may do to a verdict. */
final class LostTrialsTest {

    private static final double LOST = Double.NaN;
    private static final double[] STILL = {100, 100.5, 99.5, 100.2, 99.8, 100.1, 99.9, 100.3, 99.7, 100, 100.4, 99.6};

    /** Nine are 5 % faster but for one; with the lost three at what that one showed, nothing is left of it. */
    @Test
    void verdict_that_lost_trials_could_turn_is_inconclusive_and_says_on_how_many_it_depends() {
        double[] candidate = {95, 95.2, 94.8, 103, LOST, 95.1, LOST, 94.9, 95, 95.2, LOST, 94.8};
        Outcome outcome = judged(STILL, candidate, TrialState.FAILED);
        assertThat(outcome.blocks()).isEqualTo(9);
        assertThat(outcome.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(outcome.lost().dependsOnLost()).isEqualTo(3);
        assertThat(outcome.decision().furtherBlocks()).isNull();
        assertThat(new VerdictText(outcome, 1).verdict()).isEqualTo("inconclusive: depends on 3 lost trials");
        assertThat(judged(candidate, STILL, TrialState.FAILED).lost().dependsOnLost())
                .as("the other way round")
                .isEqualTo(3);
    }

    @Test
    void verdict_that_holds_whatever_was_lost_stands() {
        double[] candidate = {95, 95.2, 94.8, 95.3, LOST, 95.1, LOST, 94.9, 95, 95.2, LOST, 94.8};
        Outcome outcome = judged(STILL, candidate, TrialState.FAILED);
        assertThat(outcome.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(outcome.lost().dependsOnLost()).isNull();
    }

    /** Both sides lost: the winner's at its worst against the loser's at its best. */
    @Test
    void lost_trials_of_the_loser_count_too() {
        double[] baseline = STILL.clone();
        baseline[3] = 88;
        baseline[4] = LOST;
        baseline[6] = LOST;
        baseline[10] = LOST;
        double[] candidate = STILL.clone();
        for (int i = 0; i < candidate.length; i++) {
            candidate[i] = i == 3 ? 84 : candidate[i] * 0.95;
        }
        Outcome outcome = judged(baseline, candidate, TrialState.FAILED);
        assertThat(outcome.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(outcome.lost().dependsOnLost()).isEqualTo(3);
    }

    @Test
    void equivalence_must_hold_whichever_side_the_lost_trials_speak_for() {
        double[] candidate = STILL.clone();
        candidate[0] = 104;
        assertThat(judged(STILL, candidate, TrialState.FAILED).verdict()).isEqualTo(Verdict.EQUIVALENT);
        candidate[5] = LOST;
        candidate[6] = LOST;
        candidate[7] = LOST;
        Outcome outcome = judged(STILL, candidate, TrialState.FAILED);
        assertThat(outcome.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(outcome.lost().dependsOnLost()).isEqualTo(3);
    }

    /** Cut off from outside: no outcome of the server's. */
    @Test
    void aborted_trials_are_not_lost() {
        double[] candidate = {95, 95.2, 94.8, 103, LOST, 95.1, LOST, 94.9, 95, 95.2, LOST, 94.8};
        assertThat(judged(STILL, candidate, TrialState.ABORTED).verdict()).isEqualTo(Verdict.FASTER);
    }

    @Test
    void trials_that_failed_are_counted_apart_with_a_p_of_their_own() {
        double[] some = STILL.clone();
        some[1] = LOST;
        Outcome outcome = judged(STILL, some, TrialState.FAILED);
        assertThat(new VerdictText(outcome, 1).doubts())
                .contains(
                        "failed: 0 of 12 trials of the baseline, 1 of 12 trials of the candidate (p 1.000, unadjusted)");
        double[] most = STILL.clone();
        for (int i = 0; i < 7; i++) {
            most[i] = LOST;
        }
        assertThat(new VerdictText(judged(STILL, most, TrialState.FAILED), 1).doubts())
                .anyMatch(words -> words.startsWith("the candidate fails more of its trials: failed: 0 of 12"));
        assertThat(judged(STILL, STILL, TrialState.FAILED).lost().failedP()).isNull();
        assertThat(outcome.turned().lost().failedBaseline()).isOne();
    }

    /** Equal sides, of which the candidate loses what is slow: of such comparisons 2.5 % called it faster, where half a per cent should. */
    @Test
    void losing_what_is_slow_makes_no_side_faster() {
        Random random = new Random(4);
        int faster = 0;
        int inBlocks = 0;
        for (int round = 0; round < 400; round++) {
            double[] baseline = new double[20];
            double[] candidate = new double[20];
            for (int i = 0; i < baseline.length; i++) {
                baseline[i] = 100 * Math.exp(0.065 * random.nextGaussian());
                double z = random.nextGaussian();
                candidate[i] = z > 0.9 ? LOST : 100 * Math.exp(0.065 * z);
            }
            Outcome outcome = judged(baseline, candidate, TrialState.FAILED);
            faster += outcome.verdict() == Verdict.FASTER ? 1 : 0;
            inBlocks += outcome.verdict() == Verdict.FASTER || outcome.lost().dependsOnLost() != null ? 1 : 0;
        }
        assertThat(inBlocks).isEqualTo(10);
        assertThat(faster).isLessThanOrEqualTo(2);
    }

    /** @param state of the trials that were lost */
    private static Outcome judged(double[] baseline, double[] candidate, TrialState state) {
        List<RunTrial> trials = new ArrayList<>(cell(1, baseline, state));
        trials.addAll(cell(2, candidate, state));
        return one(trials);
    }

    private static List<RunTrial> cell(long cell, double[] values, TrialState state) {
        return JudgedTrials.cell(cell, values).stream()
                .map(trial -> Double.isNaN(trial.value(METRIC))
                        ? with(trial, 1, state, null).with(Map.of())
                        : trial)
                .toList();
    }
}
