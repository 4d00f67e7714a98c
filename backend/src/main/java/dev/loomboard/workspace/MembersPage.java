package dev.loomboard.workspace;

import dev.loomboard.kernel.Role;
import dev.loomboard.membership.Invitation;
import dev.loomboard.membership.Member;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who belongs to a workspace.
 *
 * @param invitations for those who may invite; else empty
 * @param self external id of who looks
 * @param mayChange whether that may invite, change roles and remove
 * @param form to invite
 * @param made the link just made, shown this once; null: none was
 */
public record MembersPage(
        WorkspaceView workspace,
        List<Member> members,
        List<Invitation> invitations,
        String self,
        boolean mayChange,
        FormState form,
        @Nullable String made)
        implements Page {

    public record Twin(List<Member> members, List<Invitation> invitations) implements PageTwin {}

    Twin twin() {
        return new Twin(members, invitations);
    }

    public List<Role> roles() {
        return List.of(Role.values());
    }

    @Override
    public String template() {
        return "workspace/members.jte";
    }
}
