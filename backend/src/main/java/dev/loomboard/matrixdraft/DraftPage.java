package dev.loomboard.matrixdraft;

import dev.loomboard.forecast.RunForecast;
import dev.loomboard.machine.MachineView;
import dev.loomboard.matrix.Matrix;
import dev.loomboard.membership.WorkspaceStore.Workspace;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import dev.loomboard.web.Problem.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a matrix is picked together, and what comes of it.
 *
 * @param machines on which the person may run something
 * @param matrices that it may be like
 * @param picks null: there is no machine, or no matrix, to pick from
 */
public record DraftPage(
        List<MachineView.Summary> machines,
        List<Matrix> matrices,
        List<Workspace> workspaces,
        @Nullable Picks picks) implements Page {

    public DraftPage {
        machines = List.copyOf(machines);
        matrices = List.copyOf(matrices);
        workspaces = List.copyOf(workspaces);
    }

    /** @param form what is ticked and typed */
    public record Picks(FormState form, MachineView.Summary machine, Matrix base, Offer offer, Preview preview) {}

    /**
     * @param source of the matrix, as YAML; empty: there is none yet
     * @param problems why not
     * @param lacks what the machine lacks of what the matrix requires, as the end of a sentence; null: nothing
     * @param run what it would be there; null: there is no matrix yet
     */
    public record Preview(
            String source,
            List<FieldError> problems,
            @Nullable String lacks,
            @Nullable RunForecast run) {
        public Preview {
            problems = List.copyOf(problems);
        }
    }

    /** How a form calls what has a name in a workspace. */
    public static String named(String workspace, String slug) {
        return workspace + "/" + slug;
    }

    @Override
    public String template() {
        return "matrixdraft/draft.jte";
    }
}
