package dev.loomboard.account;

import dev.loomboard.quota.WorkspaceQuotas;
import dev.loomboard.web.Page;
import java.util.List;

/**
 * A person's own account.
 *
 * @param workspaces that the person owns, and what they use of what they may have
 */
public record AccountPage(
        String email, String name, List<WorkspaceQuotas> workspaces, List<String> problems, boolean changed)
        implements Page {
    public AccountPage {
        workspaces = List.copyOf(workspaces);
        problems = List.copyOf(problems);
    }

    @Override
    public String template() {
        return "account/account.jte";
    }

    public int shortestPassword() {
        return NewAccount.SHORTEST_PASSWORD;
    }
}
