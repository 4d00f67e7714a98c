package dev.loomboard.audit;

import dev.loomboard.kernel.WorkspaceId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One thing that was done.
 *
 * @param workspace the workspace it touched; null: the installation
 * @param actor external id of the caller ({@code Caller.actor()})
 * @param action a verb such as {@code machine.register}
 * @param subject external id of what was acted on
 * @param detail more, never a secret
 */
public record AuditEvent(
        @Nullable WorkspaceId workspace, String actor, String action, String subject, Map<String, String> detail) {

    public AuditEvent {
        detail = Map.copyOf(detail);
    }
}
