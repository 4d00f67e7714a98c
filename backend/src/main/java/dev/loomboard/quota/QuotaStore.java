package dev.loomboard.quota;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.spi.Readable;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counts what workspaces have. */
@Repository
class QuotaStore {

    private final DatabaseClient database;
    private final QuotaDefaults defaults;

    QuotaStore(DatabaseClient database, QuotaDefaults defaults) {
        this.database = database;
        this.defaults = defaults;
    }

    /** By slug. Plan: workspace_pk, then machine_slug_uq, run_workspace_queued_ix, matrix_slug_uq and schedule_slug_uq of each. */
    Flux<WorkspaceQuotas> of(Collection<WorkspaceId> workspaces) {
        return database.sql("""
                        select w.slug, w.name, coalesce(u.stored_bytes, 0) as stored_bytes,
                               coalesce(u.artefact_bytes, 0) as artefact_bytes,
                               (select count(*) from machine m where m.workspace_id = w.workspace_id and m.revoked_at is null)
                               + (select count(*) from registration_token t
                                   where t.workspace_id = w.workspace_id and t.used_at is null and t.expires_at > now()) as machines,
                               (select count(*) from run r where r.workspace_id = w.workspace_id and r.state = 'queued') as queued_runs,
                               (select count(*) from matrix x
                                 where x.workspace_id = w.workspace_id and x.archived_at is null) as matrices,
                               (select count(*) from schedule s where s.workspace_id = w.workspace_id) as schedules,
                               l.stored_bytes as most_stored_bytes, l.artefact_bytes as most_artefact_bytes,
                               l.machines as most_machines, l.queued_runs as most_queued_runs, l.matrices as most_matrices,
                               l.schedules as most_schedules
                          from workspace w
                          left join workspace_usage u using (workspace_id)
                          left join workspace_limit l using (workspace_id)
                         where w.workspace_id = any(:workspaces)
                         order by w.slug limit 1000
                        """)
                .bind("workspaces", workspaces.stream().map(WorkspaceId::value).toArray(Long[]::new))
                .map(this::quotas)
                .all();
    }

    /** Until the transaction ends nobody else of the workspace counts machines, runs, matrices or schedules. */
    Mono<Void> lock(WorkspaceId workspace) {
        return database.sql("select pg_advisory_xact_lock(hashtextextended('quota', :workspace))")
                .bind("workspace", workspace.value())
                .then();
    }

    /** What is stored, without a lock. Plan: primary keys. */
    Mono<Quota> stored(long workspace) {
        return database.sql("""
                        select coalesce(u.stored_bytes, 0) as used, coalesce(l.stored_bytes, :most) as allowed
                          from (select :workspace::bigint as workspace_id) w
                          left join workspace_usage u using (workspace_id)
                          left join workspace_limit l using (workspace_id)
                        """)
                .bind("workspace", workspace)
                .bind("most", defaults.of(QuotaKind.STORED))
                .map(row -> new Quota(QuotaKind.STORED, number(row, "used"), number(row, "allowed")))
                .one();
    }

    /** Adds bytes to the count and locks the count until the transaction ends; false: they would be too many. */
    Mono<Boolean> add(long workspace, QuotaKind kind, long bytes, long allowed) {
        return database.sql("""
                        insert into workspace_usage as u (workspace_id, %1$s)
                        select :workspace, :bytes where :bytes <= :allowed
                        on conflict (workspace_id) do update set %1$s = u.%1$s + excluded.%1$s
                         where u.%1$s + excluded.%1$s <= :allowed
                        """.formatted(kind.column()))
                .bind("workspace", workspace)
                .bind("bytes", bytes)
                .bind("allowed", allowed)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** Subtracts bytes of measurements from the count. */
    Mono<Void> removed(long workspace, long bytes) {
        return database.sql("""
                        update workspace_usage set stored_bytes = greatest(0, stored_bytes - :bytes) where workspace_id = :workspace
                        """)
                .bind("workspace", workspace)
                .bind("bytes", bytes)
                .then();
    }

    private WorkspaceQuotas quotas(Readable row) {
        return new WorkspaceQuotas(
                text(row, "slug"),
                text(row, "name"),
                Arrays.stream(QuotaKind.values())
                        .map(kind -> new Quota(
                                kind,
                                number(row, kind.column()),
                                Objects.requireNonNullElse(
                                        row.get("most_" + kind.column(), Long.class), defaults.of(kind))))
                        .toList());
    }
}
