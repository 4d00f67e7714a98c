package dev.loomboard.membership;

import dev.loomboard.kernel.Internal;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WorkspaceId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A link by which people become members of a workspace, as pages show it: never the secret.
 *
 * @param id external id, inv_…
 * @param by who made it; it works while that is an owner
 * @param uses how many may accept it
 * @param used how many did
 * @param over why it works no more; null: it works
 */
public record Invitation(
        Into into,
        String id,
        Role role,
        String last4,
        String by,
        Instant createdAt,
        Instant expiresAt,
        int uses,
        int used,
        @Nullable String over) {

    /**
     * The workspace.
     *
     * @param key internal
     * @param slug its name in addresses
     * @param name for people
     */
    public record Into(WorkspaceId key, long invitation, String slug, String name) implements Internal {}
}
