/**
 * Who belongs to a workspace, and the invitations by which people come to belong.
 *
 * <p>{@link InvitationService} makes, revokes and uses invitations, {@link MemberService} changes roles and ends memberships, both
 * with the audit log. {@link WorkspaceStore} names the workspaces in which a person has a right, for forms. Their pages are in
 * {@code workspace}.
 */
@NullMarked
package dev.loomboard.membership;

import org.jspecify.annotations.NullMarked;
