package dev.loomboard.notice;

import dev.loomboard.kernel.Rows;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Adds confirmed changes to notices. Called in the transaction that confirms them, so that neither is there without the other. */
@Repository
public class NoticeStore {

    /** A machine without a class is one of its own. */
    public static final String MACHINE_CLASS = "coalesce(m.class_hash, m.external_id)";

    /**
     * What of these changes is to be told and stands in no notice yet: each that is confirmed, and what else the newest look at its rerun
     * found to fail more on the new build, which no history has as a change. Plan: change_point_pk, series_pk, comparison_run_uq.
     */
    private static final String CONFIRMED = """
            with confirmed as (
              select cp.change_point_id, null::bigint as comparison_id, cp.workspace_id, cp.jdk_build_id,
                     %1$s as machine_class,
                     case when cp.direction = 'better' then 'faster' when s.metric = 'error_ratio' then 'fails-more' else 'slower' end as kind
                from change_point cp join series s using (series_id) join machine m on m.machine_id = s.machine_id
               where cp.change_point_id = any(:changes) and cp.status = 'confirmed'
                 and not exists (select from notice_cell x where x.change_point_id = cp.change_point_id)
              union all
              select distinct null::bigint, v.comparison_id, r.workspace_id, cp.jdk_build_id, %1$s, 'fails-more'
                from change_point cp join run r on r.run_id = cp.rerun_run_id join machine m on m.machine_id = r.machine_id
                join comparison v on v.run_id = r.run_id and v.axis = 'jdk' and v.metric = 'error_ratio'
                 and v.verdict in ('fails more', 'fails less')
                join cell f on f.cell_id = case v.verdict when 'fails more' then v.candidate_cell_id else v.baseline_cell_id end
                 and f.jdk_build_id = cp.jdk_build_id
               where cp.change_point_id = any(:changes)
                 and not exists (select from notice_cell x where x.comparison_id = v.comparison_id))
            """.formatted(MACHINE_CLASS);

    private static final String NEWEST = """
            (select n.notice_id, n.ordinal, n.told_at from notice n
              where (n.workspace_id, n.jdk_build_id, n.machine_class, n.kind)
                  = (c.workspace_id, c.jdk_build_id, c.machine_class, c.kind)
              order by n.ordinal desc limit 1)
            """;

    private static final String OPEN = CONFIRMED + """
            insert into notice (workspace_id, jdk_build_id, machine_class, kind, ordinal, first_at, newest_at)
            select distinct c.workspace_id, c.jdk_build_id, c.machine_class, c.kind, coalesce(n.ordinal, 0) + 1, now(), now()
              from confirmed c left join lateral""" + NEWEST + """
              n on true
             where n.ordinal is null or n.told_at <= now() - interval '1 day'
            on conflict do nothing
            """;

    private static final String ADD = CONFIRMED + """
            , added as (
              insert into notice_cell (notice_id, change_point_id, comparison_id, confirmed_at)
              select n.notice_id, c.change_point_id, c.comparison_id, now()
                from confirmed c cross join lateral""" + NEWEST + """
                n
              on conflict do nothing returning notice_id)
            update notice set newest_at = now() where notice_id in (select notice_id from added)
            """;

    private final DatabaseClient database;

    NoticeStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * Those of the changes that are confirmed, and what their reruns found to fail more, go to the notice of their cause: the newest, also
     * if that was told within a day, else a new one. Of a change that is in a notice nothing happens.
     *
     * @param changes keys
     */
    public Mono<Void> gather(List<Long> changes) {
        if (changes.isEmpty()) {
            return Mono.empty();
        }
        return locks(changes).then(write(OPEN, changes)).then(write(ADD, changes));
    }

    /** One at a time gathers in a workspace: two of one cause would open two notices. In the order of keys, so that none waits in a ring. */
    private Mono<Void> locks(List<Long> changes) {
        return database.sql("""
                        select distinct workspace_id from change_point where change_point_id = any(:changes) order by workspace_id
                        """)
                .bind("changes", changes.toArray(Long[]::new))
                .map(row -> Rows.number(row, "workspace_id"))
                .all()
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(workspace -> database.sql(
                                "select pg_advisory_xact_lock(hashtextextended('notice', :workspace))")
                        .bind("workspace", workspace)
                        .then())
                .then();
    }

    private Mono<Void> write(String sql, List<Long> changes) {
        return database.sql(sql).bind("changes", changes.toArray(Long[]::new)).then();
    }
}
