package dev.loomboard.machine;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.RunPriority;
import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads what machines have to do. */
@Repository
public class QueueStore {

    private static final int MOST = 200;

    private final DatabaseClient database;
    private final Clock clock;

    QueueStore(DatabaseClient database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    private record Found(WorkspaceId workspace, @Nullable String obstacle, MachineQueue.Row row) {}

    /**
     * Only members of the workspace see when runs are expected to start: it would reveal private runs to others. Plan:
     * run_queue_ix.
     */
    public Mono<MachineQueue> of(Caller caller, MachineId machine) {
        Instant now = clock.instant();
        return VisibleSql.query(database, caller, """
                        select r.external_id, r.workspace_id, r.title, r.state, r.priority::int as priority, r.created_at, r.started_at,
                               (r.progress ->> 'expectedEnd')::timestamptz as expected_end, r.reckoned_seconds, r.planned_seconds,
                               m.draining_since is not null as draining, m.last_seen_at, m.revoked_at is not null as revoked
                          from run r join machine m using (machine_id)
                         where r.machine_id = :machine and r.state in ('queued', 'leased', 'running', 'disconnected') and visible(r)
                         order by r.state = 'queued', r.priority desc, r.created_at, r.run_id limit :most
                        """)
                .bind("machine", machine.value())
                .bind("most", MOST)
                .map(row -> found(row, now))
                .all()
                .collectList()
                .map(found -> queue(caller, found, now));
    }

    private static MachineQueue queue(Caller caller, List<Found> found, Instant now) {
        List<MachineQueue.Row> rows = found.stream().map(Found::row).toList();
        if (found.isEmpty()) {
            return new MachineQueue(List.of(), null);
        }
        Found first = found.getFirst();
        return MachineQueue.of(
                rows,
                now,
                caller.mayRead(first.workspace())
                        ? first.obstacle()
                        : "only members of its workspace see expected starts");
    }

    private static Found found(Readable row, Instant now) {
        return new Found(
                new WorkspaceId(number(row, "workspace_id")),
                obstacle(row, now),
                new MachineQueue.Row(
                        text(row, "external_id"),
                        text(row, "title"),
                        WireName.of(RunState.class, text(row, "state")),
                        RunPriority.ofStored(whole(row, "priority")),
                        instant(row, "created_at"),
                        instantOrNull(row, "started_at"),
                        instantOrNull(row, "expected_end"),
                        row.get("reckoned_seconds", Double.class),
                        row.get("planned_seconds", Double.class)));
    }

    private static @Nullable String obstacle(Readable row, Instant now) {
        Instant seen = instantOrNull(row, "last_seen_at");
        if (flag(row, "revoked")) {
            return "the machine is retired";
        }
        if (flag(row, "draining")) {
            return "the machine is draining, so it takes no new run";
        }
        return seen == null || seen.isBefore(now.minus(MachineView.ONLINE)) ? "the machine is offline" : null;
    }
}
