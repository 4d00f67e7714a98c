package dev.loomboard.regression;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.scenario.Load;
import dev.loomboard.stats.Methodology;
import dev.loomboard.verdict.DeclaredTest;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** What the nightly screen reads, and the suspects that it raises. */
@Repository
class ScreenStore {

    private static final int MOST = 20;
    /** That what the screen alone raised waits for a rerun. */
    private static final int MOST_DAYS = 14;

    /** What the screen alone raised and nothing was done about. Plan: change_point_waiting_ix. */
    private static final String WAITS = """
             cp.status = 'suspect' and cp.rerun_run_id is null and cp.rerun_reason is null
               and cp.screen_change is not null and not cp.standing
            """;

    /** Runs with a control that are over and were not screened. Plan: run_unscreened_ix, machine_pk. */
    static final String DUE = """
            select r.run_id, r.machine_id, r.control_build_id, r.spec, m.reruns
              from run r join machine m using (machine_id)
             where r.control_build_id is not null and r.screened_at is null and r.state in ('done', 'failed', 'cancelled')
             order by r.finished_at desc limit :most
            """;

    /**
     * What a run measured on its newest build of each series, and what the nights before measured on older ones, each beside the
     * run's control, on the same server and host; the newest night first, and of a night its newest build. Nights before a change that was confirmed since are of
     * another level. Plan: cell_ordinal_uq, point_cell_uq, point_series_measured_ix, series_family_ix, change_point_series_uq, primary
     * keys.
     */
    static final String NIGHTS = """
            with mine as materialized (
              select s.series_id, s.workspace_id, s.family_key, s.visibility, s.metric, p.point_id, p.run_id, p.cell_id, p.mean,
                     p.measured_at, p.jdk_build_id, j.build_order, p.server_digest, p.fingerprint_hash
                from series s
               cross join lateral (select * from point p where p.series_id = s.series_id
                                    order by p.measured_at desc limit 400) p
                join run r on r.run_id = p.run_id and not r.follow_up and r.control_build_id = :control
                     and (r.visibility = 'public' or s.visibility = 'private')
                join jdk_build j on j.jdk_build_id = p.jdk_build_id
               where s.series_id in (select n.series_id from cell c join point n on n.cell_id = c.cell_id where c.run_id = :run)
                 and s.metric = any(:metrics) and p.eligible and p.standing <> 'unranked' and p.jdk_build_id <> :control),
            tonight as (
              select distinct on (series_id) * from mine where run_id = :run
               order by series_id, build_order desc, jdk_build_id desc, point_id),
            controls as materialized (
              select c.run_id, o.workspace_id, o.family_key, o.visibility, c.mean, c.server_digest, c.fingerprint_hash
                from series o
               cross join lateral (select * from point c where c.series_id = o.series_id
                                    order by c.measured_at desc limit 400) c
               where (o.workspace_id, o.family_key, o.visibility) in (select workspace_id, family_key, visibility from tonight)
                 and c.jdk_build_id = :control and c.eligible and c.standing <> 'unranked')
            select m.series_id, m.metric, m.point_id, m.run_id, m.run_id = :run as tonight, m.jdk_build_id, l.load,
                   m.mean as candidate, c.mean as control
              from tonight t
              join cell l on l.cell_id = t.cell_id
              join mine m on m.series_id = t.series_id and m.server_digest = t.server_digest
                   and m.fingerprint_hash = t.fingerprint_hash
                   and (m.point_id = t.point_id
                        or m.run_id <> :run and m.measured_at < t.measured_at
                           and (m.build_order, m.jdk_build_id) < (t.build_order, t.jdk_build_id))
              join controls c on c.run_id = m.run_id and c.workspace_id = t.workspace_id and c.family_key = t.family_key
                   and c.visibility = t.visibility and c.server_digest = t.server_digest
                   and c.fingerprint_hash = t.fingerprint_hash
             where not exists (select from change_point x join jdk_build b on b.jdk_build_id = x.jdk_build_id
                                where x.series_id = t.series_id and x.status = 'confirmed'
                                  and (b.build_order, b.jdk_build_id) <= (t.build_order, t.jdk_build_id)
                                  and (b.build_order, b.jdk_build_id) > (m.build_order, m.jdk_build_id))
             order by m.series_id, m.run_id = :run desc, max(m.measured_at) over (partition by m.series_id, m.run_id) desc,
                      m.run_id desc, m.build_order desc, m.jdk_build_id desc
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    ScreenStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * @param control internal key of its build
     * @param spec as it was stored
     * @param reruns whether its machine's owners want any
     */
    record Due(long run, MachineId machine, long control, String spec, boolean reruns) {}

    /**
     * A night of a series, of which the control is not missing.
     *
     * @param point internal key
     * @param tonight of the run that is screened
     * @param build internal key
     */
    record Row(
            long series,
            String metric,
            long point,
            long run,
            boolean tonight,
            long build,
            Load load,
            double candidate,
            double control) {}

    Flux<Due> due() {
        return database.sql(DUE)
                .bind("most", MOST)
                .map(row -> new Due(
                        number(row, "run_id"),
                        new MachineId(number(row, "machine_id")),
                        number(row, "control_build_id"),
                        json(row, "spec"),
                        flag(row, "reruns")))
                .all();
    }

    /** Fails with a JacksonException when the run was stored by a version that this one does not understand. */
    MatrixSpec spec(Due due) {
        return json.readValue(due.spec(), MatrixSpec.class);
    }

    /** By series, the screened night first, then the others from the newest; of each the newest build first. */
    Mono<List<Row>> nights(Due due) {
        return database.sql(NIGHTS)
                .bind("run", due.run())
                .bind("control", due.control())
                .bind("metrics", DeclaredTest.COMPARED.toArray(String[]::new))
                .map(row -> new Row(
                        number(row, "series_id"),
                        text(row, "metric"),
                        number(row, "point_id"),
                        number(row, "run_id"),
                        flag(row, "tonight"),
                        number(row, "jdk_build_id"),
                        json.readValue(json(row, "load"), Load.class),
                        Objects.requireNonNull(row.get("candidate", Double.class)),
                        Objects.requireNonNull(row.get("control", Double.class))))
                .all()
                .collectList();
    }

    /** A build of a series is raised once, by whatever raises it first. */
    Mono<Void> raise(ScreenedSeries of, ScreenedSeries.Raised raised) {
        return database.sql("""
                        insert into change_point (workspace_id, series_id, jdk_build_id, good_build_id, point_id, q_hat, p, before,
                                                  after, direction, standing, methodology, screen_change, screen_chance,
                                                  screen_nights, screen_before)
                        select s.workspace_id, s.series_id, :build, :good, :point, :statistic, :chance, :before, :after, 'worse',
                               false, :methodology, :change, :chance, :nights, :alone
                          from series s where s.series_id = :series
                        on conflict on constraint change_point_series_uq do nothing
                        """)
                .bind("build", of.build())
                .bind("good", raised.good())
                .bind("point", of.point())
                .bind("statistic", raised.rise().statistic())
                .bind("chance", raised.rise().chance())
                .bind("before", raised.levelBefore())
                .bind("after", of.candidate())
                .bind("methodology", Methodology.VERSION)
                .bind("change", raised.change())
                .bind("nights", raised.rise().nights())
                .bind("alone", raised.rise().before())
                .bind("series", of.series())
                .then();
    }

    /** What the series had raised on this build or an older one, in an earlier night, waits for a rerun no longer. Plan: change_point_series_uq. */
    Mono<Void> fellBack(ScreenedSeries of) {
        return database.sql("""
                        update change_point cp
                           set rerun_reason = 'no rerun: while it waited, ' || t.slug || ' was no higher than the nights before it'
                          from jdk_build b, jdk_build t, point p, point n
                         where cp.series_id = :series and """ + WAITS + """
                           and b.jdk_build_id = cp.jdk_build_id and t.jdk_build_id = :build
                           and (b.build_order, b.jdk_build_id) <= (t.build_order, t.jdk_build_id)
                           and p.point_id = cp.point_id and n.point_id = :point and p.measured_at < n.measured_at
                        """)
                .bind("series", of.series())
                .bind("build", of.build())
                .bind("point", of.point())
                .then();
    }

    /** What no rerun had time for: a series of which there are no newer nights would keep it in the queue for ever. */
    Mono<Void> expire() {
        return database.sql("update change_point cp set rerun_reason = :reason where " + WAITS
                        + " and cp.detected_at < now() - make_interval(days => :days)")
                .bind("reason", "no rerun: it waited " + MOST_DAYS + " days, and larger increases ran first")
                .bind("days", MOST_DAYS)
                .then();
    }

    Mono<Void> done(Due due, int series, int rises) {
        return database.sql("""
                        update run set screened_at = now(), screened_series = :series, screened_rises = :rises where run_id = :run
                        """)
                .bind("series", series)
                .bind("rises", rises)
                .bind("run", due.run())
                .then();
    }
}
