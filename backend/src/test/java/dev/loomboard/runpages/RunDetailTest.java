package dev.loomboard.runpages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.Steadiness;
import dev.loomboard.measurement.Validity;
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
