package dev.loomboard.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.measurement.SearchEnd;
import dev.loomboard.measurement.SearchEnd.Role;
import dev.loomboard.measurement.SearchEnd.Verdict;
import dev.loomboard.measurement.Validity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a trial's validity is made of. */
final class TrialValidityTest {

    private static final TrialValidity SOUND = new TrialValidity(Validity.VALID, null);

    private final List<TrialValidity.Step> steps = new ArrayList<>();
    private final List<SearchEnd.Step> judged = new ArrayList<>();

    @Test
    void a_trial_is_as_sound_as_its_worst_step() {
        assertThat(TrialValidity.of(List.of(), null)).isEqualTo(new TrialValidity(null, null));
        step(100, Verdict.PASS, Validity.VALID);
        assertThat(TrialValidity.of(steps, null)).isEqualTo(SOUND);
        step(200, Verdict.PASS, Validity.SUSPECT);
        step(300, Verdict.PASS, Validity.SUSPECT);
        assertThat(TrialValidity.of(steps, null)).isEqualTo(new TrialValidity(Validity.SUSPECT, "step 1 lagged"));
        step(400, Verdict.INVALID, Validity.INVALID);
        assertThat(TrialValidity.of(steps, null)).isEqualTo(new TrialValidity(Validity.INVALID, "step 3 lagged"));
    }

    @Test
    void a_search_is_as_sound_as_the_steps_that_its_result_stands_on() {
        step(500, Verdict.INVALID, Validity.INVALID);
        step(500, Verdict.PASS, Validity.SUSPECT);
        step(2000, Verdict.FAIL, Validity.SUSPECT);
        step(1000, Verdict.PASS, Validity.SUSPECT);
        step(1030, Verdict.FAIL, Validity.SUSPECT);
        step(1030, Verdict.FAIL, Validity.VALID);
        step(1000, Verdict.PASS, Validity.VALID);
        step(700, Verdict.PASS, Validity.SUSPECT);
        assertThat(TrialValidity.of(steps, search(1000.0, true)))
                .as("its rate was confirmed, and the bound failed again, with nothing to doubt")
                .isEqualTo(SOUND);
        assertThat(TrialValidity.of(steps, search(1000.0, false)).validity())
                .as("nothing bounds it: what was invalid may be why")
                .isEqualTo(Validity.INVALID);
        assertThat(TrialValidity.of(steps, search(null, true)).validity()).isEqualTo(Validity.INVALID);
    }

    @Test
    void a_search_whose_bound_nobody_can_trust_is_in_doubt() {
        step(1000, Verdict.PASS, Validity.VALID);
        step(1030, Verdict.FAIL, Validity.SUSPECT);
        step(1060, Verdict.FAIL, Validity.VALID);
        assertThat(TrialValidity.of(steps, search(1000.0, true)))
                .isEqualTo(new TrialValidity(Validity.SUSPECT, "step 1 lagged"));
    }

    private void step(double rate, Verdict verdict, Validity validity) {
        int ordinal = steps.size();
        steps.add(new TrialValidity.Step(
                ordinal, rate, validity, validity == Validity.VALID ? null : "step " + ordinal + " lagged"));
        judged.add(new SearchEnd.Step(ordinal, Role.NARROW, verdict, false, true, null));
    }

    private SearchEnd search(@Nullable Double found, boolean resolved) {
        return new SearchEnd(
                new SearchEnd.Objective(0.99, 250, 1, 0.99),
                found,
                null,
                null,
                true,
                resolved,
                "it ended",
                null,
                List.of(),
                judged);
    }
}
