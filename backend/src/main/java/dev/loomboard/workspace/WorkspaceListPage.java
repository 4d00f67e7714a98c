package dev.loomboard.workspace;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.kernel.Role;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.List;

/**
 * A person's workspaces.
 *
 * @param chosen slug of the one where new things go; empty: the person belongs to none
 * @param form to make one
 * @param most how many the person may make
 */
public record WorkspaceListPage(List<Row> workspaces, String chosen, FormState form, int most) implements Page {

    public record Row(@JsonUnwrapped WorkspaceView workspace, Role role, int machines, int members) {}

    public record Twin(List<Row> workspaces, String chosen) implements PageTwin {}

    Twin twin() {
        return new Twin(workspaces, chosen);
    }

    @Override
    public String template() {
        return "workspace/list.jte";
    }
}
