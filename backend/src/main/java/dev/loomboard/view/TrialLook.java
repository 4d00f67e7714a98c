package dev.loomboard.view;

import dev.loomboard.cell.TrialState;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.Validity;
import org.jspecify.annotations.Nullable;

/** What pages show of where a trial is: invalid (a load generator that was not healthy) is neither failed nor aborted. */
public enum TrialLook implements WireName {
    PLANNED,
    RUNNING,
    DONE,
    INVALID,
    FAILED,
    ABORTED;

    public static TrialLook of(TrialState state, @Nullable Validity validity) {
        return switch (state) {
            case PLANNED -> PLANNED;
            case RUNNING -> RUNNING;
            case DONE -> validity == Validity.INVALID ? INVALID : DONE;
            case FAILED -> FAILED;
            case ABORTED -> ABORTED;
        };
    }
}
