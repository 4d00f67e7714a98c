package dev.loomboard.verdict;

import static dev.loomboard.verdict.JudgedTrials.METRIC;
import static dev.loomboard.verdict.JudgedTrials.ONE;
import static dev.loomboard.verdict.JudgedTrials.SCENARIO;
import static dev.loomboard.verdict.JudgedTrials.STILL;
import static dev.loomboard.verdict.JudgedTrials.cell;
import static dev.loomboard.verdict.JudgedTrials.ofBuild;
import static dev.loomboard.verdict.JudgedTrials.one;
import static dev.loomboard.verdict.JudgedTrials.sides;
import static dev.loomboard.verdict.JudgedTrials.times;
import static dev.loomboard.verdict.JudgedTrials.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.Steadiness;
import dev.loomboard.measurement.Validity;
import dev.loomboard.stats.paired.Family;
import dev.loomboard.stats.paired.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** From the trials of a run to the outcomes of its family. */
final class JudgeTest {

    @Test
    void candidate_that_needs_a_tenth_more_is_slower_by_its_blocks() {
        Outcome outcome = one(sides(STILL, times(STILL, 1.1)));
        assertThat(outcome.blocks()).isEqualTo(7);
        assertThat(outcome.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(Objects.requireNonNull(outcome.found().effect())).isCloseTo(1.1, within(1e-9));
        assertThat(Objects.requireNonNull(outcome.decision().margin())).isCloseTo(0.02, within(1e-12));
        assertThat(outcome.decision().furtherBlocks()).isZero();
        assertThat(outcome.reason()).isNull();
    }

    @Test
    void more_requests_per_second_are_faster() {
        List<RunTrial> trials = sides(STILL, times(STILL, 1.1)).stream()
                .map(trial -> trial.with(Map.of(
                        DeclaredTest.THROUGHPUT,
                        Objects.requireNonNull(trial.metrics().get(METRIC)))))
                .toList();
        Outcome outcome = Judge.of(
                        List.of(new Judge.Test(7, TestDimension.JDK, 1, 2, DeclaredTest.THROUGHPUT, SCENARIO)), trials)
                .getFirst();
        assertThat(outcome.verdict()).isEqualTo(Verdict.FASTER);
    }

    @Test
    void small_and_steady_difference_is_equivalent_and_a_noisy_one_says_what_would_settle_it() {
        Outcome same = one(sides(STILL, new double[] {100.4, 100.8, 99.3, 100.2, 99.8, 100, 100.1}));
        assertThat(same.verdict()).isEqualTo(Verdict.EQUIVALENT);
        assertThat(Objects.requireNonNull(same.decision().decidable())).isLessThan(0.02);
        Outcome noisy = one(sides(STILL, new double[] {95, 108, 93, 104, 106, 94, 101}));
        assertThat(noisy.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(Objects.requireNonNull(noisy.decision().furtherBlocks())).isPositive();
        assertThat(Objects.requireNonNull(noisy.decision().decidable())).isGreaterThan(0.02);
    }

    @Test
    void excess_within_fifty_microseconds_is_equivalent_however_large_its_share() {
        assertThat(DeclaredTest.margin(DeclaredTest.EXCESS_P50).floor()).isEqualTo(0.05);
        assertThat(DeclaredTest.margin(DeclaredTest.EXCESS_P99).floor()).isEqualTo(0.05);
        assertThat(DeclaredTest.margin(METRIC).floor()).isZero();
    }

    @Test
    void test_that_could_not_be_made_stays_in_the_family_as_one() {
        List<RunTrial> trials = new ArrayList<>(sides(STILL, times(STILL, 1.1)));
        trials.addAll(cell(3, STILL));
        List<Judge.Test> family = new ArrayList<>(ONE);
        for (int i = 0; i < 9; i++) {
            family.add(new Judge.Test(8 + i, TestDimension.JDK, 3, 4, METRIC, SCENARIO)); // nothing is known of cell 4
        }
        List<Outcome> outcomes = Judge.of(family, trials);
        Outcome judged = outcomes.getFirst();
        Double p = Objects.requireNonNull(judged.decision().p());
        List<@Nullable Double> all = new ArrayList<>();
        all.add(p);
        IntStream.range(0, 9).forEach(i -> all.add(null));
        assertThat(judged.decision().adjustedP())
                .isEqualTo(Family.adjusted(all)[0])
                .isEqualTo(p * 10);
        assertThat(outcomes.get(1).verdict()).isNull();
        assertThat(outcomes.get(1).decision().p()).isNull();
        assertThat(outcomes.get(1).reason()).isEqualTo("0 blocks of paired trials, 3 are needed");
    }

    @Test
    void tests_of_another_axis_are_a_family_of_their_own() {
        List<RunTrial> trials = new ArrayList<>(sides(STILL, times(STILL, 1.1)));
        trials.addAll(cell(3, times(STILL, 1.2)));
        Judge.Test other = new Judge.Test(8, TestDimension.SERVER, 1, 3, METRIC, SCENARIO);
        Judge.Test another = new Judge.Test(9, TestDimension.SERVER, 2, 3, METRIC, SCENARIO);
        List<Outcome> outcomes = Judge.of(List.of(other, ONE.getFirst(), another), trials);
        assertThat(outcomes.get(1)).isEqualTo(one(trials));
        assertThat(List.of(outcomes.get(0), outcomes.get(2)))
                .isEqualTo(Judge.of(List.of(other, another), trials))
                .doesNotContain(outcomes.get(1));
    }

    @Test
    void two_servers_differ_in_their_digests_but_neither_may_change_between_its_trials() {
        List<RunTrial> baseline = cell(1, STILL);
        List<RunTrial> candidate = cell(2, times(STILL, 1.1)).stream()
                .map(trial -> ofBuild(trial, "another"))
                .toList();
        List<Judge.Test> servers = List.of(new Judge.Test(7, TestDimension.SERVER, 1, 2, METRIC, SCENARIO));
        List<RunTrial> trials = new ArrayList<>(baseline);
        trials.addAll(candidate);
        assertThat(Judge.of(servers, trials).getFirst().verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(one(trials).reason()).isEqualTo("its trials ran different builds of the server");
        trials.set(9, ofBuild(trials.get(9), "rebuilt"));
        assertThat(Judge.of(servers, trials).getFirst().reason())
                .isEqualTo("its trials ran different builds of the server");
    }

    @Test
    void trials_of_two_leases_are_no_block_and_what_is_lost_on_one_side_takes_the_other_along() {
        List<RunTrial> trials = new ArrayList<>(cell(1, STILL));
        List<RunTrial> others = cell(2, times(STILL, 1.1));
        trials.addAll(others.subList(0, 5));
        trials.add(with(others.get(5), 2, TrialState.DONE, Validity.VALID));
        trials.add(with(others.get(6), 1, TrialState.ABORTED, null));
        Outcome outcome = one(trials);
        assertThat(outcome.blocks()).isEqualTo(5);
        assertThat(outcome.excluded().ofCandidate())
                .as("one was cut off from outside")
                .isEqualTo(6);
        assertThat(outcome.excluded().candidate()).isZero();
        assertThat(outcome.verdict()).isEqualTo(Verdict.SLOWER);
    }

    @Test
    void side_that_lost_more_trials_has_no_verdict_though_its_effect_is_shown() {
        List<RunTrial> trials = new ArrayList<>(cell(1, STILL));
        List<RunTrial> others = cell(2, times(STILL, 1.1));
        trials.addAll(others.subList(0, 4));
        trials.add(with(others.get(4), 1, TrialState.FAILED, null));
        trials.add(with(others.get(5), 1, TrialState.DONE, Validity.INVALID));
        trials.add(with(others.get(6), 1, TrialState.DONE, Validity.INVALID));
        Outcome outcome = one(trials);
        assertThat(outcome.verdict()).isNull();
        assertThat(outcome.decision().p()).as("it counts as 1 in its family").isNull();
        assertThat(outcome.reason()).isEqualTo("the sides lost different shares of their trials");
        assertThat(outcome.excluded().candidate()).isEqualTo(3);
        assertThat(Objects.requireNonNull(outcome.found().effect())).isCloseTo(1.1, within(1e-9));
    }

    @Test
    void suspect_trials_stand_in_blocks_that_are_counted() {
        List<RunTrial> trials = new ArrayList<>(cell(1, STILL));
        trials.set(0, with(trials.getFirst(), 1, TrialState.DONE, Validity.SUSPECT));
        List<RunTrial> others = cell(2, times(STILL, 1.1));
        trials.add(with(others.getFirst(), 1, TrialState.DONE, Validity.SUSPECT));
        trials.add(with(others.get(1), 1, TrialState.DONE, Validity.SUSPECT));
        trials.addAll(others.subList(2, 7));
        Outcome outcome = one(trials);
        assertThat(outcome.blocks()).isEqualTo(7);
        assertThat(outcome.suspectBlocks()).isEqualTo(2);
        assertThat(outcome.excluded().baseline() + outcome.excluded().candidate())
                .isZero();
        assertThat(outcome.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(new VerdictText(outcome, 1).doubts()).containsExactly("2 of 7 blocks contain a suspect trial");
    }

    @Test
    void never_steady_and_ineligible_trials_make_no_block_and_say_so() {
        List<RunTrial> steady = cell(1, STILL);
        List<RunTrial> never = cell(2, STILL).stream()
                .map(t -> new RunTrial(
                        2,
                        t.ordinal(),
                        1,
                        TrialState.DONE,
                        Validity.VALID,
                        Steadiness.NO_STEADY_STATE,
                        "d",
                        "h",
                        t.metrics()))
                .toList();
        List<RunTrial> trials = new ArrayList<>(steady);
        trials.addAll(never);
        assertThat(Objects.requireNonNull(one(trials).reason())).contains("0 blocks", "never reached a steady state");
        List<RunTrial> few = new ArrayList<>();
        for (long cell : new long[] {1, 2}) {
            for (int i = 1; i <= 7; i++) {
                few.add(new RunTrial(
                        cell,
                        i,
                        1,
                        TrialState.DONE,
                        Validity.VALID,
                        null,
                        "d",
                        "h",
                        Map.of(
                                METRIC,
                                new RunTrial.Value(100, false, "36 of 3600 hits lie beyond p99, 100 are needed"))));
            }
        }
        assertThat(one(few).reason())
                .isEqualTo(
                        "0 blocks of paired trials, 3 are needed (trial 1: 36 of 3600 hits lie beyond p99, 100 are needed)");
    }

    @Test
    void another_build_of_the_server_or_another_host_has_no_verdict() {
        List<RunTrial> trials = new ArrayList<>(cell(1, STILL));
        cell(2, STILL)
                .forEach(t -> trials.add(new RunTrial(
                        2, t.ordinal(), 1, TrialState.DONE, Validity.VALID, null, "other", "another", t.metrics())));
        assertThat(one(trials).reason())
                .isEqualTo("its trials ran different builds of the server; the host changed between its trials");
    }

    @Test
    void zero_has_no_ratio() {
        assertThat(one(sides(STILL, new double[7])).reason()).isEqualTo("a trial's value is 0, so there is no ratio");
    }

    @Test
    void run_without_scored_trials_says_so() {
        assertThat(one(List.of()).reason()).contains("no scored trial ended", "diagnostic ones are never compared");
    }

    @Test
    void exchanging_the_sides_turns_the_outcome_round_and_nothing_else() {
        Outcome outcome = one(sides(STILL, new double[] {111, 109, 112, 110, 108, 111, 110}));
        Outcome turned = Judge.of(
                        List.of(new Judge.Test(7, TestDimension.JDK, 2, 1, METRIC, SCENARIO)),
                        sides(STILL, new double[] {111, 109, 112, 110, 108, 111, 110}))
                .getFirst();
        assertThat(outcome.turned().verdict()).isEqualTo(turned.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(outcome.turned())
                .usingRecursiveComparison()
                .withComparatorForType(
                        (a, b) -> Math.abs(a - b) < 1e-9 * Math.abs(a) ? 0 : Double.compare(a, b), Double.class)
                .isEqualTo(turned);
        assertThat(outcome.turned().turned())
                .usingRecursiveComparison()
                .ignoringFields("effect", "low", "high")
                .isEqualTo(outcome);
    }

    @Test
    void trials_that_fall_into_two_groups_are_flagged() {
        Outcome outcome = one(sides(STILL, new double[] {101, 101.1, 120, 120.1, 101.2, 119.9, 120}));
        assertThat(outcome.modesBaseline()).isNull();
        assertThat(outcome.modesCandidate()).isEqualTo("3 trials about 101 µs, 4 about 120");
    }

    @Test
    void searched_rate_is_judged_only_where_its_steps_are_finer_than_the_margin() {
        double[] same = {1000, 1000, 1000, 1000, 1000, 1000, 1000};
        List<RunTrial> trials = sides(same, times(same, 1.3)).stream()
                .map(trial ->
                        trial.with(Map.of(DeclaredTest.MAX_RATE, trial.metrics().get(METRIC))))
                .toList();
        assertThat(searched(trials, "0.03").verdict()).isEqualTo(Verdict.FASTER);
        Outcome coarse = searched(trials, "0.1");
        assertThat(coarse.verdict()).isNull();
        assertThat(coarse.reason()).isEqualTo("the instrument resolves 130 1/s here, the margin is 50.0 1/s");
        Outcome equal = searched(
                sides(same, same).stream()
                        .map(trial -> trial.with(
                                Map.of(DeclaredTest.MAX_RATE, trial.metrics().get(METRIC))))
                        .toList(),
                "0.03");
        assertThat(equal.verdict()).isEqualTo(Verdict.EQUIVALENT);
        assertThat(equal.found().low())
                .as("rates of one step are not known to be one")
                .isLessThan(0.99);
    }

    private static Outcome searched(List<RunTrial> trials, String precision) {
        String scenario =
                "io@1?delayMs=100;search:start=100,maxRate=2000,seconds=10,discardSeconds=2,precision=" + precision
                        + ",confirmations=3,confirmSeconds=20,maxSteps=40,curveSteps=0,quantile=0.99,responseMs=250,success=0.999,achieved=0.99";
        return Judge.of(List.of(new Judge.Test(7, TestDimension.JDK, 1, 2, DeclaredTest.MAX_RATE, scenario)), trials)
                .getFirst();
    }
}
