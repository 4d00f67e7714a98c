/**
 * Workspaces as people make, share and delete them: their pages, members, invitations and audit log.
 *
 * <p>{@link WorkspacePages} shows and makes them, {@link WorkspaceSettingsPages} changes them by {@link WorkspaceService},
 * {@link MemberPages} and {@link InvitationPages} let people in, {@link AuditPages} shows who did what.
 *
 * <p>Who may do what is the table of {@code kernel.Role}; members and invitations themselves are of {@code membership}. Nothing
 * depends on this package.
 */
@NullMarked
package dev.loomboard.workspace;

import org.jspecify.annotations.NullMarked;
