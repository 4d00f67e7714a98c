package dev.loomboard.workspace;

import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;

/**
 * What an owner may change of a workspace.
 *
 * @param form of whichever of its forms was refused, else as it stands
 */
public record WorkspaceSettingsPage(WorkspaceView workspace, FormState form) implements Page {
    @Override
    public String template() {
        return "workspace/settings.jte";
    }
}
