package dev.loomboard.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.Validity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TrialLookTest {

    @ParameterizedTest
    @EnumSource
    void sound_trial_looks_as_its_state(TrialState state) {
        assertThat(TrialLook.of(state, Validity.VALID).wire()).isEqualTo(state.wire());
        assertThat(TrialLook.of(state, null).wire()).isEqualTo(state.wire());
    }

    @Test
    void invalid_is_said_of_a_trial_that_is_done_alone() {
        assertThat(TrialLook.of(TrialState.DONE, Validity.INVALID)).isEqualTo(TrialLook.INVALID);
        assertThat(TrialLook.of(TrialState.FAILED, Validity.INVALID)).isEqualTo(TrialLook.FAILED);
    }
}
