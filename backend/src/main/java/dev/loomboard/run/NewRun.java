package dev.loomboard.run;

import dev.loomboard.cell.RunPriority;
import dev.loomboard.cell.Visibility;
import dev.loomboard.machine.MachineView;
import dev.loomboard.matrix.Matrix;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run to be queued. Who may ask for it has been checked.
 *
 * @param selectors in place of the matrix's own; empty: the matrix's own
 * @param schedule internal key of the schedule that fired; null: by hand
 * @param createdBy external id of the account, token or schedule; of a follow-up, of the suspected change
 * @param followUp a follow-up of suspected changes, and the groups of cells ({@link dev.loomboard.expansion.TrialPlan#group}) that it is of;
 *     null: no follow-up, and all cells
 * @param control internal key of a build that its cells are measured on too, because it stays from night to night; null: none
 */
public record NewRun(
        Matrix matrix,
        MachineView.Summary machine,
        List<String> selectors,
        @Nullable Long schedule,
        String createdBy,
        @Nullable Set<String> followUp,
        @Nullable Long control,
        RunPriority priority) {

    public NewRun {
        selectors = List.copyOf(selectors);
        followUp = followUp == null ? null : Set.copyOf(followUp);
    }

    public NewRun(
            Matrix matrix,
            MachineView.Summary machine,
            List<String> selectors,
            @Nullable Long schedule,
            String createdBy) {
        this(matrix, machine, selectors, schedule, createdBy, null, null);
    }

    public NewRun(
            Matrix matrix,
            MachineView.Summary machine,
            List<String> selectors,
            @Nullable Long schedule,
            String createdBy,
            @Nullable Set<String> followUp,
            @Nullable Long control) {
        this(matrix, machine, selectors, schedule, createdBy, followUp, control, RunPriority.NORMAL);
    }

    /** Of a schedule. */
    public NewRun withControl(@Nullable Long build) {
        return new NewRun(matrix, machine, selectors, schedule, createdBy, followUp, build, priority);
    }

    public NewRun withPriority(RunPriority other) {
        return new NewRun(matrix, machine, selectors, schedule, createdBy, followUp, control, other);
    }

    boolean wants(String group) {
        return followUp == null || followUp.contains(group);
    }

    /** Public only if matrix and machine are. */
    Visibility visibility() {
        return matrix.visibility().and(machine.visibility());
    }
}
