package dev.loomboard.runpages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.Availability;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.Steadiness;
import dev.loomboard.measurement.Validity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RunDetailTest {

    @Test
    void spoilt_trials_are_struck_through_with_the_reason() {
        assertThat(leftOut(Validity.VALID, null)).isNull();
        assertThat(leftOut(Validity.SUSPECT, Steadiness.DRIFT)).isNull();
        assertThat(leftOut(Validity.INVALID, Steadiness.STEADY)).isEqualTo("invalid");
        assertThat(leftOut(Validity.VALID, Steadiness.NO_STEADY_STATE)).isEqualTo("never reached a steady state");
        assertThat(trial(Validity.VALID, null, true).leftOut()).isEqualTo("it was repeated");
    }

    @Test
    void trial_of_a_server_without_a_jvm_starts_a_process_and_forces_no_gc() {
        Jdk jdk = new Jdk("temurin-25", "temurin", "25.0.3+9", 25, Availability.GA, "amd64", "hash");
        Jdk none = new Jdk("no-jdk", "", "No JDK", Jdk.NO_FEATURE, Availability.GA, "", "");
        assertThat(RunDetail.trialSteps(List.of(jdk)))
                .contains("starts a fresh JVM: ")
                .contains("forced GC");
        assertThat(RunDetail.trialSteps(List.of(none)))
                .contains("starts a fresh process: ")
                .doesNotContain("GC");
        assertThat(RunDetail.trialSteps(List.of(none, jdk)))
                .contains("starts a fresh JVM, or a fresh process for a server without one: ")
                .contains("forced GC of a JVM");
        assertThat(RunDetail.trialSteps(List.of()))
                .as("a run that is not planned yet")
                .contains("starts a fresh JVM: ");
    }

    private static @Nullable String leftOut(Validity validity, @Nullable Steadiness steady) {
        return trial(validity, steady, false).leftOut();
    }

    private static RunDetail.Trial trial(Validity validity, @Nullable Steadiness steady, boolean replaced) {
        return new RunDetail.Trial(
                "tri_1",
                TrialKind.SCORED,
                1,
                TrialState.DONE,
                null,
                validity,
                steady,
                null,
                false,
                replaced,
                null,
                Map.of());
    }
}
