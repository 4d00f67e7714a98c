package dev.loomboard.audit;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of the audit log, as it is shown.
 *
 * @param key its number, by which pages go on
 * @param workspace slug of the workspace it touched; null: the installation
 * @param actor external id of who did it, or anonymous
 * @param name of the account, machine or token; null: none has that id
 * @param action a verb such as {@code machine.register}
 * @param subject external id of what was acted on
 */
public record AuditEntry(
        long key,
        Instant at,
        @Nullable String workspace,
        String actor,
        @Nullable String name,
        String action,
        String subject,
        Map<String, String> detail) {

    public AuditEntry {
        detail = Map.copyOf(detail);
    }
}
