package dev.loomboard.regression;

import dev.loomboard.changepoint.ChangeStatus;
import dev.loomboard.stats.change.ControlComparison;
import org.jspecify.annotations.Nullable;

/**
 * What a suspect's shifted series shows relative to a control that ran in the same nights.
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
            return new HistoryDecision(ChangeStatus.CLEARED, "the control changed as well; the host is the cause");
        }
        String why = control.test().reason();
        return new HistoryDecision(
                null, "relative to its control: " + (why == null ? "it is not clear whether the change remains" : why));
    }
}
