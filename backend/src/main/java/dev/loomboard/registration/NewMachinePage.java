package dev.loomboard.registration;

import dev.loomboard.membership.WorkspaceStore.Workspace;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import java.util.List;

/** The form that asks what a new machine shall be called. */
public record NewMachinePage(FormState form, List<Workspace> workspaces) implements Page {
    public NewMachinePage {
        workspaces = List.copyOf(workspaces);
    }

    @Override
    public String template() {
        return "machine/new.jte";
    }
}
