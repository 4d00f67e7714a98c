package dev.loomboard.workspace;

import dev.loomboard.membership.Invitation;
import dev.loomboard.web.Page;
import org.jspecify.annotations.Nullable;

/**
 * Where a link of an invitation leads.
 *
 * @param path the page's own, to come back to
 * @param belongs whether who looks belongs to the workspace already
 * @param signUp where an account is made; null: this service has no such page
 */
public record InvitationPage(
        Invitation invitation,
        String path,
        boolean signedIn,
        boolean belongs,
        @Nullable String signUp) implements Page {
    @Override
    public String template() {
        return "workspace/invitation.jte";
    }
}
