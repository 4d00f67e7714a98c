package dev.loomboard.regression;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.changepoint.ChangeStatus;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.stats.change.Confirmation;
import dev.loomboard.stats.change.ControlComparison;
import dev.loomboard.stats.change.FollowUpPolicy;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What ran beside a changed cell on builds that stayed. */
@Repository
class ControlStore {

    private static final int MOST_CHANGES = 50;

    /**
     * Confirmed, or shifted by its history and not decided; not looked for yet, or with a short new level of which a run has ended
     * since. What is retracted is left as it is: a control is of the same versions as the change. Plan: change_point_status_ix,
     * point_series_measured_ix, primary keys.
     */
    static final String DUE = """
            select cp.change_point_id, s.metric, cp.after > cp.before as up,
                   cp.status = 'suspect' and coalesce(least(cp.control_before, cp.control_after), 0) < :tells as undecided
              from change_point cp join series s on s.series_id = cp.series_id
              left join point f on f.point_id = cp.point_id
             where (cp.status = 'confirmed'
                    or cp.status = 'suspect' and cp.history_at is not null and cp.history_reason is null)
               and (cp.control_at is null
                    or coalesce(cp.decided_at, cp.history_at) > now() - interval '60 days' and coalesce(cp.control_after, 0) < :enough
                       and exists (select from point p join run r on r.run_id = p.run_id
                                    where p.series_id = cp.series_id and p.measured_at > cp.control_at - interval '7 days'
                                      and r.finished_at > cp.control_at))
               and """
            + RetractedSql.none(new RetractedSql.Result(
                    "s.server", "f.server_digest", "s.workload", "s.scenario_key", "s.machine_id", "f.run_id"))
            + """
             order by coalesce(cp.decided_at, cp.history_at) desc limit :most
            """;

    /**
     * What the change's cell measured in both levels on its server and host, as far as the change is as public as that, each
     * beside the same cell on other builds in the same run, in the order of the history. A level ends where the detector sees
     * another change. Reads the newest points of the cell's few series alone. Plan: primary keys, point_series_measured_ix,
     * series_family_ix, change_point_series_uq.
     */
    static final String NIGHTS = """
            with mine as (
              select p.run_id, p.mean, p.jdk_build_id, p.measured_at, p.point_id, j.build_order, p.server_digest, p.fingerprint_hash,
                     (j.build_order, j.jdk_build_id) >= (n.build_order, n.jdk_build_id) as later
                from change_point cp
                join series s on s.series_id = cp.series_id
                join point f on f.point_id = cp.point_id
                join jdk_build g on g.jdk_build_id = cp.good_build_id
                join jdk_build n on n.jdk_build_id = cp.jdk_build_id
               cross join lateral (select * from point p where p.series_id = s.series_id
                                    order by p.measured_at desc limit 400) p
                join run r on r.run_id = p.run_id and not r.follow_up and (r.visibility = 'public' or s.visibility = 'private')
                join jdk_build j on j.jdk_build_id = p.jdk_build_id
               where cp.change_point_id = :change and p.eligible and p.standing <> 'unranked'
                 and p.server_digest = f.server_digest and p.fingerprint_hash = f.fingerprint_hash
                 and ((j.build_order, j.jdk_build_id) >= (n.build_order, n.jdk_build_id)
                      or (j.build_order, j.jdk_build_id) <= (g.build_order, g.jdk_build_id))
                 and not exists (select from change_point x join jdk_build b on b.jdk_build_id = x.jdk_build_id
                                  where x.series_id = s.series_id and x.standing and x.change_point_id <> cp.change_point_id
                                    and ((b.build_order, b.jdk_build_id) > (n.build_order, n.jdk_build_id)
                                         and (b.build_order, b.jdk_build_id) <= (j.build_order, j.jdk_build_id)
                                         or (b.build_order, b.jdk_build_id) < (n.build_order, n.jdk_build_id)
                                         and (b.build_order, b.jdk_build_id) > (j.build_order, j.jdk_build_id)))),
            others as materialized (
              select c.run_id, c.mean, c.jdk_build_id, c.server_digest, c.fingerprint_hash
                from change_point cp
                join series s on s.series_id = cp.series_id
                join series o on o.workspace_id = s.workspace_id and o.family_key = s.family_key and o.visibility = s.visibility
               cross join lateral (select * from point c where c.series_id = o.series_id
                                    order by c.measured_at desc limit 400) c
               where cp.change_point_id = :change and c.eligible and c.standing <> 'unranked')
            select c.jdk_build_id as control_build, m.jdk_build_id as candidate_build, m.run_id, m.later, m.mean as candidate, c.mean as control
              from mine m
              join others c on c.run_id = m.run_id and c.jdk_build_id <> m.jdk_build_id
                   and c.server_digest = m.server_digest and c.fingerprint_hash = m.fingerprint_hash
             order by m.build_order, m.jdk_build_id, m.measured_at, m.point_id
            """;

    private final DatabaseClient database;

    ControlStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * @param up the change is one to larger values
     * @param undecided a suspect that no control with enough nights has told of yet
     */
    record Due(long key, String metric, boolean up, boolean undecided) {}

    /**
     * @param build of the control
     * @param run in which both ran
     * @param later of the new level
     */
    record Beside(long build, long candidateBuild, long run, boolean later, ControlComparison.Night night) {}

    /** @param builds of the control, those that ran in most nights first */
    record Found(List<Long> builds, ControlComparison control) {}

    Flux<Due> due() {
        return database.sql(DUE)
                .bind("enough", FollowUpPolicy.POINTS)
                .bind("tells", Confirmation.LEAST_POINTS)
                .bind("most", MOST_CHANGES)
                .map(row -> new Due(
                        number(row, "change_point_id"), text(row, "metric"), flag(row, "up"), flag(row, "undecided")))
                .all();
    }

    Mono<List<Beside>> beside(long change) {
        return database.sql(NIGHTS)
                .bind("change", change)
                .map(row -> new Beside(
                        number(row, "control_build"),
                        number(row, "candidate_build"),
                        number(row, "run_id"),
                        flag(row, "later"),
                        new ControlComparison.Night(
                                Objects.requireNonNull(row.get("candidate", Double.class)),
                                Objects.requireNonNull(row.get("control", Double.class)))))
                .all()
                .collectList();
    }

    /** What the nights say of a suspect, unless a rerun has decided meanwhile. */
    Mono<Void> decide(long change, HistoryDecision decision) {
        ChangeStatus status = decision.status();
        return database.sql("""
                        update change_point
                           set status = coalesce(:status, status), history_reason = :reason,
                               confirmed_by = case :status when 'confirmed' then 'history' end,
                               decided_at = case when :status is not null then now() end
                         where change_point_id = :key and status = 'suspect'
                        """)
                .bind("status", Parameter.fromOrEmpty(status == null ? null : status.wire(), String.class))
                .bind("reason", Parameter.fromOrEmpty(decision.reason(), String.class))
                .bind("key", change)
                .then();
    }

    /** That there is none, or no longer. */
    Mono<Void> none(long change) {
        return database.sql("""
                        update change_point
                           set control_at = now(), controls = 0, control_build_id = null, control_builds = null, control_before = null,
                               control_after = null, control_change = null, control_low = null, control_high = null,
                               control_moved = null, against_change = null, against_low = null, against_high = null,
                               against_left = null
                         where change_point_id = :key
                        """).bind("key", change).then();
    }

    Mono<Void> put(long change, Found found) {
        ControlComparison control = found.control();
        return database.sql("""
                        update change_point
                           set control_at = now(), controls = :controls, control_build_id = :build,
                               control_builds = :builds, control_before = :before,
                               control_after = :after, control_change = :change, control_low = :low, control_high = :high,
                               control_moved = :moved, against_change = :against, against_low = :againstLow,
                               against_high = :againstHigh, against_left = :left
                         where change_point_id = :key
                        """)
                .bind("controls", found.builds().size())
                .bind("build", found.builds().getFirst())
                .bind("builds", found.builds().toArray(Long[]::new))
                .bind("before", control.before())
                .bind("after", control.after())
                .bind("change", control.itself().ratio())
                .bind("low", control.itself().low())
                .bind("high", control.itself().high())
                .bind("moved", control.moved().name().toLowerCase(Locale.ROOT))
                .bind("against", control.against().ratio())
                .bind("againstLow", control.against().low())
                .bind("againstHigh", control.against().high())
                .bind("left", control.left().name().toLowerCase(Locale.ROOT))
                .bind("key", change)
                .then();
    }
}
