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
 * @param groups of cells ({@link dev.loomboard.expansion.TrialPlan#group}) that it is of; null: all
 * @param followUp whether it follows suspected changes up: no detector counts it
 * @param control internal key of a build that its cells are measured on too, because it stays from night to night; null: none
 */
public record NewRun(
        Matrix matrix,
        MachineView.Summary machine,
        List<String> selectors,
        @Nullable Long schedule,
        String createdBy,
        @Nullable Set<String> groups,
        boolean followUp,
        @Nullable Long control,
        RunPriority priority) {

    public NewRun {
        selectors = List.copyOf(selectors);
        groups = groups == null ? null : Set.copyOf(groups);
    }

    public NewRun(
            Matrix matrix,
            MachineView.Summary machine,
            List<String> selectors,
            @Nullable Long schedule,
            String createdBy) {
        this(matrix, machine, selectors, schedule, createdBy, null, false, null, RunPriority.NORMAL);
    }

    /** Follows suspected changes up, which are of these groups. */
    public NewRun following(Set<String> suspected) {
        return new NewRun(matrix, machine, selectors, schedule, createdBy, suspected, true, control, priority);
    }

    /** Of these groups alone. */
    public NewRun of(Set<String> some) {
        return new NewRun(matrix, machine, selectors, schedule, createdBy, some, followUp, control, priority);
    }

    /** Of a schedule. */
    public NewRun withControl(@Nullable Long build) {
        return new NewRun(matrix, machine, selectors, schedule, createdBy, groups, followUp, build, priority);
    }

    public NewRun withPriority(RunPriority other) {
        return new NewRun(matrix, machine, selectors, schedule, createdBy, groups, followUp, control, other);
    }

    boolean wants(String group) {
        return groups == null || groups.contains(group);
    }

    /** Public only if matrix and machine are. */
    Visibility visibility() {
        return matrix.visibility().and(machine.visibility());
    }
}
