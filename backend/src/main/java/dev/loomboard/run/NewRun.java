package dev.loomboard.run;

import dev.loomboard.machine.MachineView;
import dev.loomboard.matrix.Matrix;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run to be queued. Who may ask for it has been checked.
 *
 * @param selectors in place of the matrix's own; empty: the matrix's own
 * @param schedule internal key of the schedule that fired; null: by hand
 * @param createdBy external id of the account, token or schedule
 */
public record NewRun(
        Matrix matrix,
        MachineView.Summary machine,
        List<String> selectors,
        @Nullable Long schedule,
        String createdBy) {

    public NewRun {
        selectors = List.copyOf(selectors);
    }

    /** public only if matrix and machine are. */
    String visibility() {
        return matrix.isPublic() && machine.isPublic() ? "public" : "private";
    }
}
