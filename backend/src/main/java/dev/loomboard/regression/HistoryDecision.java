package dev.loomboard.regression;

import dev.loomboard.changepoint.ChangeStatus;
import dev.loomboard.stats.change.ControlComparison;
import org.jspecify.annotations.Nullable;

/**
 * What the nights of a shifted series say of a suspect, set against a control that ran in them.
 *
 * @param status null: it stays a suspect
 * @param reason why it is not confirmed; null: it is
 */
record HistoryDecision(
        @Nullable ChangeStatus status, @Nullable String reason) {

    static HistoryDecision of(ControlComparison control) {
        if (control.confirms()) {
            return new HistoryDecision(ChangeStatus.CONFIRMED, null);
        }
        if (control.pointsToHost()) {
            return new HistoryDecision(
                    ChangeStatus.CLEARED,
                    "the control moved too, and against it nothing that matters is left: it is the host's");
        }
        String why = control.test().reason();
        return new HistoryDecision(
                null, "against its control: " + (why == null ? "it is not clear what remains" : why));
    }
}
