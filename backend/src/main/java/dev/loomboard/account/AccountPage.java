package dev.loomboard.account;

import dev.loomboard.credential.NewAccount;
import dev.loomboard.credential.ProofAsked;
import dev.loomboard.quota.WorkspaceQuotas;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A person's own account.
 *
 * @param inWorkspace false: the person belongs to none
 * @param workspaces that the person owns, and what they use of what they may have
 * @param provider by which people sign in without a password; blank: there is none
 * @param proof what the form asks for
 * @param form to change the password
 * @param done what was done just before; null: nothing
 */
public record AccountPage(
        OwnAccount account,
        boolean inWorkspace,
        List<WorkspaceQuotas> workspaces,
        String provider,
        ProofAsked proof,
        FormState form,
        @Nullable String done)
        implements Page {
    public AccountPage {
        workspaces = List.copyOf(workspaces);
    }

    @Override
    public String template() {
        return "account/account.jte";
    }

    public int shortestPassword() {
        return NewAccount.SHORTEST_PASSWORD;
    }

    /** True when there is a session besides the one that asks. */
    public boolean elsewhere() {
        return account.sessions().stream().anyMatch(session -> !session.current());
    }
}
