package dev.loomboard.matrix;

import dev.loomboard.membership.WorkspaceStore.Workspace;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import dev.loomboard.web.Problem.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a matrix is written as YAML.
 *
 * @param matrix the one that is changed; null: a new one
 * @param problems everything wrong with the YAML, by the path of its field
 */
public record MatrixFormPage(
        @Nullable Matrix matrix, FormState form, List<FieldError> problems, List<Workspace> workspaces)
        implements Page {
    public MatrixFormPage {
        problems = List.copyOf(problems);
        workspaces = List.copyOf(workspaces);
    }

    @Override
    public String template() {
        return "matrix/form.jte";
    }
}
