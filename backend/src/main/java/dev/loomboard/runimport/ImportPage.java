package dev.loomboard.runimport;

import dev.loomboard.membership.WorkspaceStore.Workspace;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import dev.loomboard.web.Urls;
import java.util.List;

/** @param workspaces those into which the person may import */
public record ImportPage(FormState form, List<Workspace> workspaces) implements Page {

    public ImportPage {
        workspaces = List.copyOf(workspaces);
    }

    /** Of a run that the workspace has. */
    static String words(ImportResult.Present present) {
        return "The workspace has this run already, "
                + (present.imported() ? "imported before" : "measured in it") + ": " + Urls.run(present.run())
                + ". Nothing was changed.";
    }

    @Override
    public String template() {
        return "run/import.jte";
    }
}
