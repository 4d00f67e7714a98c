package dev.loomboard.visibility;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.WorkspaceId;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes who sees something what it must be, of what owners say, whether their workspace is public, and what is hidden. A
 * row is public where all that it comes from is said to be and nothing of that is hidden; it is {@code hidden} where only
 * hiding keeps it from being so. To be called in a transaction, after what changed.
 */
@Repository
class VisibilityStore {

    /** Of a machine and what was measured on it. A run is as its machine and matrix; a series as its runs together. */
    private static final String SETTLE = """
            with wanted as (
              select m.machine_id, coalesce(m.stated_visibility, m.visibility) as stated,
                     coalesce(m.stated_visibility, m.visibility) = 'public' and w.stated_visibility = 'public' as open,
                     exists (select from hiding h
                              where h.shown_at is null and (h.machine_id = m.machine_id
                                    or (h.kind = 'workspace' and h.workspace_id = m.workspace_id))) as hidden
                from machine m join workspace w using (workspace_id)
               where m.machine_id = :machine
            ), machines as (
              update machine m
                 set visibility = case when x.open and not x.hidden then 'public' else 'private' end,
                     hidden = x.open and x.hidden, stated_visibility = x.stated
                from wanted x where m.machine_id = x.machine_id
            ), run_wanted as (
              select r.run_id, x.open and coalesce(t.stated_visibility, t.visibility) = 'public' as open,
                     x.hidden or exists (select from hiding h where h.run_id = r.run_id and h.shown_at is null) as hidden
                from wanted x join run r using (machine_id) join matrix t using (matrix_id)
            ), runs as (
              update run r
                 set visibility = case when x.open and not x.hidden then 'public' else 'private' end,
                     hidden = x.open and x.hidden
                from run_wanted x where r.run_id = x.run_id
            ), entries as (
              update leaderboard_entry e
                 set visibility = case when x.open and not x.hidden then 'public' else 'private' end,
                     hidden = x.open and x.hidden
                from run_wanted x where e.run_id = x.run_id
            ), series_wanted as (
              select s.series_id, x.open and not coalesce(bool_or(not r.open), false) as open,
                     x.hidden or coalesce(bool_and(r.hidden), false) as hidden
                from wanted x join series s using (machine_id)
                     left join point p on p.series_id = s.series_id left join run_wanted r on r.run_id = p.run_id
               group by s.series_id, x.open, x.hidden
            )
            update series s
               set visibility = case when x.open and not x.hidden then 'public' else 'private' end,
                   hidden = x.open and x.hidden
              from series_wanted x where s.series_id = x.series_id
            """;

    private final DatabaseClient database;

    VisibilityStore(DatabaseClient database) {
        this.database = database;
    }

    Mono<Void> settle(MachineId machine) {
        return database.sql(SETTLE).bind("machine", machine.value()).then();
    }

    /** The workspace's own row and its matrices; its machines are settled one by one. */
    Mono<Void> settle(WorkspaceId workspace) {
        return database.sql("""
                        with wanted as (
                          select w.workspace_id, w.stated_visibility = 'public' as open,
                                 exists (select from hiding h where h.kind = 'workspace' and h.workspace_id = w.workspace_id
                                                                and h.shown_at is null) as hidden
                            from workspace w where w.workspace_id = :workspace
                        ), workspaces as (
                          update workspace w
                             set visibility = case when x.open and not x.hidden then 'public' else 'private' end,
                                 hidden = x.open and x.hidden
                            from wanted x where w.workspace_id = x.workspace_id
                        )
                        update matrix m
                           set stated_visibility = coalesce(m.stated_visibility, m.visibility),
                               visibility = case when x.open and not x.hidden
                                                 then coalesce(m.stated_visibility, m.visibility) else 'private' end,
                               hidden = x.open and x.hidden and coalesce(m.stated_visibility, m.visibility) = 'public'
                          from wanted x where m.workspace_id = x.workspace_id
                        """).bind("workspace", workspace.value()).then();
    }

    /** What its owner said, and what covers that. */
    Mono<Cover> cover(MachineId machine) {
        return database.sql("""
                        select coalesce(m.stated_visibility, m.visibility) = 'public' as stated_public,
                               w.stated_visibility = 'private' as workspace_private,
                               (select h.reason from hiding h
                                 where h.shown_at is null and (h.machine_id = m.machine_id
                                       or (h.kind = 'workspace' and h.workspace_id = m.workspace_id)) limit 1) as hidden
                          from machine m join workspace w using (workspace_id) where m.machine_id = :machine
                        """)
                .bind("machine", machine.value())
                .map(row -> new Cover(
                        Rows.flag(row, "stated_public"),
                        Rows.flag(row, "workspace_private"),
                        Rows.textOrNull(row, "hidden")))
                .one();
    }

    Flux<MachineId> machines(WorkspaceId workspace) {
        return database.sql("select machine_id from machine where workspace_id = :workspace order by machine_id")
                .bind("workspace", workspace.value())
                .map(row -> new MachineId(Rows.number(row, "machine_id")))
                .all();
    }
}
