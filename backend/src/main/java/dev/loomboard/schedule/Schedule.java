package dev.loomboard.schedule;

import dev.loomboard.cell.Visibility;
import dev.loomboard.cron.Timing;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A matrix that runs by itself on a machine.
 *
 * @param visibility public only if matrix and machine are
 */
public record Schedule(
        ScheduleId key,
        WorkspaceId workspaceKey,
        String id,
        String workspace,
        String slug,
        String title,
        MatrixRef matrix,
        Machine machine,
        Visibility visibility,
        Times times,
        Builds builds,
        Rules rules,
        State state) {

    public enum State implements WireName {
        ACTIVE,
        PAUSED
    }

    /**
     * When it fires.
     *
     * @param since when it was made, resumed or given other times: only firings after that count
     */
    public record Times(String cron, String zone, Instant since) {

        public ZoneId zoneId() {
            return ZoneId.of(zone);
        }

        public String words() {
            return Timing.of(cron).words();
        }
    }

    /**
     * What it measures.
     *
     * @param selectors in place of the matrix's own; empty: the matrix's own
     * @param onlyNew whether a firing is skipped when each of these builds is measured already
     */
    public record Builds(List<String> selectors, boolean onlyNew, Control control) {
        public Builds {
            selectors = List.copyOf(selectors);
        }
    }

    /**
     * The build that stays and that each run it fires measures beside the others.
     *
     * @param on whether there is to be one
     * @param key internal key of the build; null, as its slug and since when: none is chosen
     * @param note why that build, or why there is none any more; null: nothing was chosen yet
     */
    public record Control(
            boolean on,
            @Nullable Long key,
            @Nullable String build,
            @Nullable Instant since,
            @Nullable String note) {

        static final Control UNCHOSEN = new Control(true, null, null, null, null);
    }

    /**
     * What becomes of runs that take long, when results are missed, and of builds that were.
     *
     * @param mostHours after its start at which a run is stopped; null: it goes on until it is done
     * @param alarmHours without a result after which there is an alarm; null: never
     * @param backfill how many builds that it missed its next firings measure; 0: none
     */
    public record Rules(
            Overlap overlap,
            @Nullable Integer mostHours,
            @Nullable Integer alarmHours,
            int backfill) {}

    public List<String> jdks() {
        return builds.selectors();
    }

    public Control control() {
        return builds.control();
    }

    public record MatrixRef(long key, String id, String slug, String title) {}

    /** @param revokedAt when its agent's key was revoked; null: it is in use */
    public record Machine(
            MachineId key,
            String id,
            String slug,
            String name,
            @Nullable Instant revokedAt) {}

    public boolean active() {
        return state == State.ACTIVE;
    }
}
