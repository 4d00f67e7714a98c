package dev.loomboard.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.cell.TrialKind;
import dev.loomboard.changepoint.ChangeStatus;
import dev.loomboard.expansion.TrialSeconds;
import dev.loomboard.matrix.MatrixReader;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.scenario.Load;
import dev.loomboard.stats.change.ChangePoint;
import dev.loomboard.stats.change.NightlyScreen;
import dev.loomboard.stats.paired.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is taken up together, and what a rerun's verdict means for a suspect. */
final class FollowUpTest {

    private static final String CPU = "cpu_us_per_request";
    private static final Instant NIGHT = Instant.parse("2026-11-21T02:00:00Z");

    @Test
    void newest_origin_goes_first_most_significant_first() {
        Suspect old = suspect(1, 1, "a", 1e-12, NIGHT.minusSeconds(86_400));
        Suspect weak = suspect(2, 2, "b", 1e-4, NIGHT.plusSeconds(60));
        Suspect strong = suspect(3, 2, "c", 1e-9, NIGHT);
        assertThat(FollowUp.together(List.of(old, weak, strong))).containsExactly(strong, weak);
    }

    @Test
    void rerun_takes_what_fits_into_a_night_and_one_cell_in_any_case() {
        MatrixSpec spec = spec(60).with(new MatrixSpec.Trials(20, 1));
        double cell = 2 * longest(spec).cell(load(60));
        int fit = (int) (FollowUp.MOST_SECONDS / cell);
        assertThat(fit).isBetween(2, 9);
        List<Suspect> many = IntStream.range(0, 10)
                .mapToObj(i -> suspect(i, 1, "cell" + i % 10, i, NIGHT))
                .toList();
        FollowUp taken = FollowUp.of(many, longest(spec), 0);
        assertThat(taken.groups()).hasSize(fit).contains("cell0", "cell1").doesNotContain("cell9");
        assertThat(taken.keys()).hasSize(fit);
        FollowUp one = FollowUp.of(
                List.of(suspect(1, 1, "a", 0, NIGHT, 3600), suspect(2, 1, "b", 1, NIGHT, 3600)),
                longest(spec(3600).with(new MatrixSpec.Trials(20, 1))),
                0);
        assertThat(one.groups()).isEqualTo(Set.of("a"));
    }

    @Test
    void what_the_screen_alone_raised_comes_last_and_by_chance() {
        Suspect rarer = screened(1, 1, "a", 1e-6);
        Suspect rare = screened(2, 2, "b", 1e-3);
        Suspect other = screened(3, 2, "c", 1e-5);
        Suspect found = suspect(4, 2, "d", 1e-2, NIGHT.minusSeconds(86_400));
        assertThat(FollowUp.together(List.of(rare, other, rarer))).containsExactly(rarer);
        assertThat(FollowUp.together(List.of(rare, other, rarer, found))).containsExactly(found, other, rare);
    }

    @Test
    void screened_suspects_wait_for_the_days_budget_and_others_do_not() {
        MatrixSpec spec = spec(60).with(new MatrixSpec.Trials(8, 0));
        double whole = 2 * NightlyScreen.CLEARED * spec.longestSeconds(load(60), TrialKind.SCORED);
        List<Suspect> many = IntStream.range(0, 20)
                .mapToObj(i -> screened(i, 1, "cell" + (char) ('a' + i), i / 100.0))
                .toList();
        int fit = (int) (NightlyScreen.BUDGET_SECONDS / whole);
        assertThat(fit).isBetween(2, 10);
        assertThat(FollowUp.of(many, longest(spec), 0).keys())
                .isEqualTo(LongStream.range(0, fit).boxed().toList());
        assertThat(FollowUp.of(many, longest(spec), whole).keys()).hasSize(fit - 1);
        assertThat(FollowUp.of(many, longest(spec), NightlyScreen.BUDGET_SECONDS)
                        .suspects())
                .isEmpty();
        assertThat(FollowUp.of(List.of(suspect(1, 1, "a", 0, NIGHT)), longest(spec), NightlyScreen.BUDGET_SECONDS)
                        .keys())
                .containsExactly(1L);
        assertThat(FollowUp.of(List.of(screened(1, 1, "a", 0)), longest(spec(3600)), 0)
                        .keys())
                .as("one that needs more than a night still gets its turn")
                .containsExactly(1L);
    }

    @Test
    void budget_is_reckoned_by_what_trials_took_and_by_the_most_only_where_none_ran() {
        MatrixSpec spec = spec(60).with(new MatrixSpec.Trials(8, 1));
        double most = spec.longestSeconds(load(60), TrialKind.SCORED);
        TrialSeconds took = new TrialSeconds(spec, Map.of(load(60), most / 2));
        List<Suspect> many = IntStream.range(0, 30)
                .mapToObj(i -> screened(i, 1, "cell" + (char) ('a' + i), i / 100.0))
                .toList();
        int fit = FollowUp.of(many, longest(spec), 0).suspects().size();
        FollowUp rerun = FollowUp.of(many, took, 0);
        assertThat(rerun.suspects().size()).isBetween(2 * fit, 2 * fit + 1);
        double diagnostic = spec.longestSeconds(load(60), TrialKind.DIAGNOSTIC);
        assertThat(rerun.seconds()).isCloseTo(2 * rerun.suspects().size() * (8 * most / 2 + diagnostic), within(1e-6));
        assertThat(new TrialSeconds(spec, Map.of(load(61), 1.0)).scored(load(60)))
                .as("of another load")
                .isEqualTo(most);
    }

    @Test
    void each_look_has_the_blocks_that_lack_and_the_first_alone_is_diagnosed() {
        MatrixSpec plain = spec(1).with(new MatrixSpec.Trials(3, 0));
        assertThat(FollowUp.spec(spec(1), List.of(suspect(1, 0, 0))).trials()).isEqualTo(new MatrixSpec.Trials(8, 1));
        assertThat(FollowUp.spec(plain, List.of(suspect(1, 0, 0))).trials().diagnostic())
                .isZero();
        assertThat(FollowUp.spec(spec(1), List.of(suspect(1, 1, 8), suspect(2, 1, 5)))
                        .trials())
                .as("as many as the one needs that lost most")
                .isEqualTo(new MatrixSpec.Trials(11, 0));
        assertThat(FollowUp.spec(spec(1), List.of(suspect(1, 3, 28))).trials().scored())
                .isEqualTo(16);
    }

    @Test
    void looks_of_different_reruns_are_not_mixed() {
        Suspect fresh = suspect(1, 0, 0);
        Suspect second = suspect(2, 1, 8);
        assertThat(FollowUp.together(List.of(fresh, second))).containsExactly(second);
    }

    @Test
    void verdict_confirms_what_was_suspected_whichever_side_the_run_called_baseline() {
        assertThat(answer(ChangeStatus.SUSPECT, 1.2, false, Verdict.SLOWER)
                        .decision()
                        .status())
                .isEqualTo(ChangeStatus.CONFIRMED);
        assertThat(answer(ChangeStatus.SUSPECT, 1.2, true, Verdict.FASTER)
                        .decision()
                        .status())
                .isEqualTo(ChangeStatus.CONFIRMED);
        assertThat(answer(ChangeStatus.SUSPECT, 0.8, false, Verdict.FASTER)
                        .decision()
                        .status())
                .isEqualTo(ChangeStatus.CONFIRMED);
        assertThat(answer(ChangeStatus.CLEARED, 1.2, false, Verdict.SLOWER)
                        .decision()
                        .status())
                .isEqualTo(ChangeStatus.CONFIRMED);
    }

    @Test
    void what_is_not_there_is_cleared() {
        for (Verdict no : List.of(Verdict.FASTER, Verdict.EQUIVALENT)) {
            assertThat(answer(ChangeStatus.SUSPECT, 1.2, false, no).decision())
                    .isEqualTo(new RerunDecision.Decision(
                            ChangeStatus.CLEARED, "the rerun says " + no.word() + ", not slower as suspected", null));
        }
    }

    @Test
    void too_few_blocks_clear_nothing() {
        assertThat(look(1, 8, null, Verdict.INCONCLUSIVE).decision())
                .isEqualTo(new RerunDecision.Decision(
                        null, "the rerun is open after 8 blocks: the next look adds 8 blocks", 8));
        assertThat(look(2, 14, null, Verdict.INCONCLUSIVE).decision().further()).isEqualTo(14);
        RerunDecision.Decision last = new RerunDecision.Decision(
                null, "the rerun is open after 44 blocks: too few for a result, so the change stays open", null);
        assertThat(look(4, 44, null, Verdict.INCONCLUSIVE).decision()).isEqualTo(last);
        assertThat(look(null, 20, null, Verdict.INCONCLUSIVE).decision())
                .as("a rerun from before there were looks")
                .isEqualTo(new RerunDecision.Decision(
                        null,
                        "the rerun is open after 20 blocks: too few for a result, so the change stays open",
                        null));
    }

    @Test
    void rerun_that_was_cut_short_says_so_and_has_no_next_look() {
        assertThat(look(2, 9, "it was cancelled", Verdict.INCONCLUSIVE).decision())
                .isEqualTo(new RerunDecision.Decision(
                        null,
                        "the rerun is open after 9 blocks, cut short (it was cancelled): too few for a result, so the change stays open",
                        null));
        assertThat(look(2, 9, "it was cancelled", Verdict.SLOWER).decision().reason())
                .isEqualTo("the rerun says slower, as suspected, cut short (it was cancelled)");
    }

    @Test
    void decision_of_the_history_is_not_taken_back() {
        for (ChangeStatus decided : List.of(ChangeStatus.CONFIRMED, ChangeStatus.CLEARED)) {
            assertThat(answer(decided, 1.2, false, Verdict.EQUIVALENT)
                            .decision()
                            .status())
                    .isNull();
        }
        assertThat(answer(ChangeStatus.CONFIRMED, 1.2, false, Verdict.SLOWER)
                        .decision()
                        .status())
                .isNull();
    }

    @Test
    void rerun_without_a_verdict_decides_nothing() {
        assertThat(answer(ChangeStatus.SUSPECT, 1.2, false, null).decision())
                .isEqualTo(new RerunDecision.Decision(null, "the rerun gave no verdict: lost shares of trials", null));
        assertThat(look(1, 0, "its machine stayed away", null).decision())
                .isEqualTo(
                        new RerunDecision.Decision(null, "the rerun gave no verdict: its machine stayed away", null));
    }

    private static RerunDecision answer(ChangeStatus status, double after, boolean turned, @Nullable Verdict verdict) {
        return new RerunDecision(
                1,
                status,
                change(after),
                CPU,
                1,
                8,
                turned,
                null,
                verdict,
                verdict == null ? "lost shares of trials" : null);
    }

    private static RerunDecision look(
            @Nullable Integer look, int blocks, @Nullable String failure, @Nullable Verdict verdict) {
        return new RerunDecision(
                1,
                ChangeStatus.SUSPECT,
                change(1.2),
                CPU,
                look,
                blocks,
                false,
                failure,
                verdict,
                "no scored trial ended");
    }

    private static ChangePoint change(double after) {
        return new ChangePoint(0, 9, 1e-6, 1, after);
    }

    private static Suspect suspect(long key, long run, String group, double p, Instant at) {
        return suspect(key, run, group, p, at, 60);
    }

    private static Suspect suspect(long key, long run, String group, double p, Instant at, int seconds) {
        return new Suspect(
                key, "chg_" + key, new Suspect.Origin(run, 1, 2, 0, null), group, load(seconds), CPU, p, at, 0, false);
    }

    private static Suspect suspect(long key, int looks, int blocks) {
        Suspect.Origin origin = new Suspect.Origin(1, 1, 2, looks, looks == 0 ? null : Long.valueOf(9));
        return new Suspect(key, "chg_" + key, origin, "a", load(60), CPU, 1e-6, NIGHT, blocks, false);
    }

    private static Suspect screened(long key, long run, String group, double chance) {
        return new Suspect(
                key,
                "chg_" + key,
                new Suspect.Origin(run, 1, 2, 0, null),
                group,
                load(60),
                CPU,
                chance,
                NIGHT,
                0,
                true);
    }

    /** Of a machine that ran no trial of the protocol. */
    private static TrialSeconds longest(MatrixSpec spec) {
        return new TrialSeconds(spec, Map.of());
    }

    private static Load load(int seconds) {
        return spec(seconds).dimensions().scenarios().getFirst().load();
    }

    private static MatrixSpec spec(int seconds) {
        MatrixReader.Reading reading = MatrixReader.read("""
                schema: loomboard.matrix/1
                name: nightly
                title: Nightly
                protocol: nightly/1
                jdks: [all]
                servers: [{server: tiny, variants: [plain]}]
                scenarios: [{workload: empty, params: {}, load: {profile: constant, rate: 10, seconds: SECONDS}}]
                collectors: []
                jvmOptions: []
                trials: {scored: 5, diagnostic: 2}
                phases: {warmup: [{seconds: 20}], settleSeconds: 2, diagnostic: {warmupSeconds: 5, seconds: 10}}
                """.replace("SECONDS", String.valueOf(seconds)));
        if (reading instanceof MatrixReader.Read read) {
            return read.spec();
        }
        throw new AssertionError("the test's matrix is refused: " + reading);
    }
}
