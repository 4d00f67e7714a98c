package dev.loomboard.schedule;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WorkspaceId;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A matrix that runs by itself on a machine.
 *
 * @param isPublic whether matrix and machine both are
 * @param jdks selectors in place of the matrix's own; empty: the matrix's own
 * @param since when it was made, resumed or given other times: only firings after that count
 */
public record Schedule(
        ScheduleId key,
        WorkspaceId workspaceKey,
        String id,
        String workspace,
        String slug,
        String title,
        Target matrix,
        Place machine,
        boolean isPublic,
        String cron,
        String zone,
        List<String> jdks,
        State state,
        Instant since) {

    public Schedule {
        jdks = List.copyOf(jdks);
    }

    public enum State {
        ACTIVE,
        PAUSED;

        String wire() {
            return name().toLowerCase(Locale.ROOT);
        }

        static State of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }
    }

    /** The matrix. */
    public record Target(long key, String id, String slug, String title) {}

    /** @param revokedAt when its agent's key was revoked; null: it is in use */
    public record Place(
            MachineId key,
            String id,
            String slug,
            String name,
            @Nullable Instant revokedAt) {}

    public ZoneId zoneId() {
        return ZoneId.of(zone);
    }

    public boolean active() {
        return state == State.ACTIVE;
    }

    public String words() {
        return Timing.of(cron).words();
    }
}
