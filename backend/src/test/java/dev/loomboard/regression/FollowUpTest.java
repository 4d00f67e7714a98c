package dev.loomboard.regression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.Load;
import dev.loomboard.changepoint.ChangeStatus;
import dev.loomboard.matrix.MatrixReader;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.stats.ChangePoint;
import dev.loomboard.stats.FollowUpPolicy;
import dev.loomboard.stats.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
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
        MatrixSpec spec = FollowUp.spec(spec(60));
        double cell = 2 * spec.longestSecondsOfCell(load(60));
        int fit = (int) (FollowUp.MOST_SECONDS / cell);
        assertThat(fit).isBetween(2, 9);
        List<Suspect> many = IntStream.range(0, 10)
                .mapToObj(i -> suspect(i, 1, "cell" + i % 10, i, NIGHT))
                .toList();
        FollowUp taken = FollowUp.of(many, spec);
        assertThat(taken.groups()).hasSize(fit).contains("cell0", "cell1").doesNotContain("cell9");
        assertThat(taken.keys()).hasSize(fit);
        FollowUp one = FollowUp.of(
                List.of(suspect(1, 1, "a", 0, NIGHT, 3600), suspect(2, 1, "b", 1, NIGHT, 3600)),
                FollowUp.spec(spec(3600)));
        assertThat(one.groups()).isEqualTo(Set.of("a"));
    }

    @Test
    void rerun_has_the_blocks_that_its_power_was_reckoned_with() {
        assertThat(FollowUp.spec(spec(1)).trials()).isEqualTo(new MatrixSpec.Trials(FollowUpPolicy.BLOCKS, 1));
        MatrixSpec plain = spec(1).with(new MatrixSpec.Trials(3, 0));
        assertThat(FollowUp.spec(plain).trials().diagnostic()).isZero();
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
        assertThat(answer(ChangeStatus.DROPPED, 1.2, false, Verdict.SLOWER)
                        .decision()
                        .status())
                .isEqualTo(ChangeStatus.CONFIRMED);
        for (Verdict no : List.of(Verdict.FASTER, Verdict.EQUIVALENT, Verdict.INCONCLUSIVE)) {
            assertThat(answer(ChangeStatus.SUSPECT, 1.2, false, no).decision())
                    .isEqualTo(new RerunDecision.Decision(
                            ChangeStatus.DROPPED, "the rerun says " + no.word() + ", not slower as was suspected"));
        }
    }

    @Test
    void decision_of_the_history_is_not_taken_back() {
        assertThat(answer(ChangeStatus.CONFIRMED, 1.2, false, Verdict.EQUIVALENT)
                        .decision()
                        .status())
                .isNull();
        assertThat(answer(ChangeStatus.CONFIRMED, 1.2, false, Verdict.SLOWER)
                        .decision()
                        .status())
                .isNull();
        assertThat(answer(ChangeStatus.DROPPED, 1.2, false, Verdict.EQUIVALENT)
                        .decision()
                        .status())
                .isNull();
    }

    @Test
    void rerun_without_a_verdict_leaves_it_to_the_history_unless_that_has_spoken() {
        assertThat(answer(ChangeStatus.SUSPECT, 1.2, false, null).decision())
                .isEqualTo(new RerunDecision.Decision(null, "the rerun gave no verdict: lost shares of trials"));
        RerunDecision looked = new RerunDecision(
                1,
                ChangeStatus.SUSPECT,
                true,
                change(1.2),
                CPU,
                false,
                "its machine stayed away",
                null,
                "no scored trial ended");
        assertThat(looked.decision())
                .isEqualTo(new RerunDecision.Decision(
                        ChangeStatus.DROPPED, "the rerun gave no verdict: its machine stayed away"));
    }

    private static RerunDecision answer(ChangeStatus status, double after, boolean turned, @Nullable Verdict verdict) {
        return new RerunDecision(
                1,
                status,
                false,
                change(after),
                CPU,
                turned,
                null,
                verdict,
                verdict == null ? "lost shares of trials" : null);
    }

    private static ChangePoint change(double after) {
        return new ChangePoint(0, 9, 1e-6, 1, after);
    }

    private static Suspect suspect(long key, long run, String group, double p, Instant at) {
        return suspect(key, run, group, p, at, 60);
    }

    private static Suspect suspect(long key, long run, String group, double p, Instant at, int seconds) {
        return new Suspect(key, "chg_" + key, new Suspect.Origin(run, 1, 2), group, load(seconds), CPU, p, at);
    }

    private static Load load(int seconds) {
        return spec(seconds).scenarios().getFirst().load();
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
