package dev.loomboard.changepoint;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.stats.Methodology;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Keeps change points. All of it is called within the transaction that rolls up a cell, which has locked its series. */
@Repository
public class ChangePointStore {

    /**
     * The last points of each series on one server and host: from 500 to 999 of them, and they begin at a multiple of 500,
     * so that the detector's windows stay where they are from one point to the next. Counts only what may be judged, is no
     * retest, and is as public as the series.
     *
     * <p>None of a server without a JVM: changes lie at builds, and all its points are of one.
     *
     * <p>Plan: series_pk, point_series_measured_ix twice (the count is of the index alone), primary keys of run and build.
     */
    static final String WATCHED = """
            select p.series_id, s.metric, p.point_id, p.jdk_build_id, p.mean
              from series s
             cross join lateral (select * from point p where p.series_id = s.series_id order by p.measured_at desc
                                  limit (select 500 + count(*) % 500 from point n where n.series_id = s.series_id)) p
              join run r on r.run_id = p.run_id
              join jdk_build j on j.jdk_build_id = p.jdk_build_id
             where s.series_id = any(:series) and p.jdk_build_id <> 0
               and p.server_digest = :digest and p.fingerprint_hash = :fingerprint
               and p.eligible and p.standing <> 'unranked'
               and (r.visibility = 'public' or s.visibility = 'private')
               and not r.follow_up
               and not\s""" + RetractedSql.run("p.run_id") + """

             order by p.series_id, j.build_order, j.jdk_build_id, p.measured_at, p.point_id
            """;

    /** Locked, because reruns decide about them too. Plan: change_point_series_uq. */
    static final String KNOWN = """
            select change_point_id, series_id, jdk_build_id, good_build_id, point_id, standing, status,
                   history_at is not null as looked,
                   screen_change is not null and not standing and status <> 'confirmed' as only_screened
              from change_point where series_id = any(:series)
             order by change_point_id
               for update
            """;

    /**
     * The newest points of a metric on a machine: of the series itself and of as many others as make a long history. Plan:
     * series_machine_ix, point_series_measured_ix, change_point_point_ix.
     */
    static final String PAST = """
            select p.point_id, p.mean, p.measured_at,
                   c.change_point_id is not null
                   or (p.series_id, p.server_digest, p.fingerprint_hash) is distinct from
                      (lag(p.series_id) over w, lag(p.server_digest) over w, lag(p.fingerprint_hash) over w) as begins
              from (select o.series_id, o.machine_id, o.visibility, o.server, o.workload, o.scenario_key from series s
                      join series o on o.machine_id = s.machine_id and o.metric = s.metric and o.visibility = s.visibility
                     where s.series_id = :series
                     order by o.series_id = s.series_id desc, o.series_id desc limit 20) s
             cross join lateral (select * from point p where p.series_id = s.series_id and p.eligible
                                    and p.standing <> 'unranked' order by p.measured_at desc limit 300) p
              join run r on r.run_id = p.run_id
              join jdk_build j on j.jdk_build_id = p.jdk_build_id
              left join change_point c on c.point_id = p.point_id and c.status = 'confirmed'
             where (r.visibility = 'public' or s.visibility = 'private')
               and not r.follow_up
               and """
            + RetractedSql.none(new RetractedSql.Result(
                    "s.server", "p.server_digest", "s.workload", "s.scenario_key", "s.machine_id", "p.run_id"))
            + """
            window w as (order by p.series_id, p.server_digest, p.fingerprint_hash, j.build_order, j.jdk_build_id,
                                  p.measured_at, p.point_id)
             order by p.series_id, p.server_digest, p.fingerprint_hash, j.build_order, j.jdk_build_id, p.measured_at, p.point_id
            """;

    private static final String ROWS = """
              from jsonb_to_recordset(:rows) as u (id bigint, "seriesId" bigint, "jdkBuildId" bigint, "goodBuildId" bigint,
                   "pointId" bigint, "qHat" float8, p float8, before float8, after float8, direction text, looked boolean,
                   change float8, "historyP" float8, reason text)
            """;

    private static final String ADD = """
            insert into change_point (workspace_id, series_id, jdk_build_id, good_build_id, point_id, q_hat, p, before, after,
                                      direction, standing, history_change, history_p, history_reason, history_at,
                                      methodology, detected_at)
            select s.workspace_id, s.series_id, u."jdkBuildId", u."goodBuildId", u."pointId", u."qHat", u.p, u.before, u.after,
                   u.direction, true, u.change, u."historyP", u.reason, case when u.looked then :now end, :methodology, :now
            """ + ROWS + "join series s on s.series_id = u.\"seriesId\" where u.id is null";

    private static final String CHANGE = """
            update change_point c
               set q_hat = u."qHat", p = u.p, before = u.before, after = u.after, direction = u.direction, standing = true,
                   good_build_id = coalesce(u."goodBuildId", c.good_build_id), point_id = coalesce(u."pointId", c.point_id),
                   history_change = case when u.looked then u.change else c.history_change end,
                   history_p = case when u.looked then u."historyP" else c.history_p end,
                   history_reason = case when u.looked then u.reason else c.history_reason end,
                   history_at = case when u.looked then :now else c.history_at end,
                   methodology = :methodology
            """ + ROWS + "where c.change_point_id = u.id";

    private final DatabaseClient database;
    private final JsonMapper json;

    public ChangePointStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    private record Row(long seriesId, String metric, ComparablePoints.Seen seen) {}

    /** Those of the series that have points to be watched. */
    Mono<List<ComparablePoints>> watched(Long[] series, String serverDigest, String fingerprintHash) {
        return database.sql(WATCHED)
                .bind("series", series)
                .bind("digest", serverDigest)
                .bind("fingerprint", fingerprintHash)
                .map(row -> new Row(
                        number(row, "series_id"),
                        text(row, "metric"),
                        new ComparablePoints.Seen(number(row, "point_id"), number(row, "jdk_build_id"), mean(row))))
                .all()
                .collectList()
                .map(ChangePointStore::bySeries);
    }

    Mono<List<StoredChange>> known(Long[] series) {
        return database.sql(KNOWN)
                .bind("series", series)
                .map(row -> new StoredChange(
                        number(row, "change_point_id"),
                        number(row, "series_id"),
                        number(row, "jdk_build_id"),
                        number(row, "good_build_id"),
                        row.get("point_id", Long.class),
                        flag(row, "standing"),
                        WireName.of(ChangeStatus.class, text(row, "status")),
                        flag(row, "looked"),
                        flag(row, "only_screened")))
                .all()
                .collectList();
    }

    Mono<List<Dependence.Past>> past(long series) {
        return database.sql(PAST)
                .bind("series", series)
                .map(row -> new Dependence.Past(
                        number(row, "point_id"), flag(row, "begins"), mean(row), instant(row, "measured_at")))
                .all()
                .collectList();
    }

    /** @param gone internal keys of those that are no longer reported */
    Mono<Void> put(List<ChangeUpsert> rows, List<Long> gone, Instant now) {
        return database.sql("update change_point set standing = false where change_point_id = any(:gone)")
                .bind("gone", gone.toArray(Long[]::new))
                .then()
                .then(put(CHANGE, rows, now))
                .then(put(ADD, rows, now));
    }

    private Mono<Void> put(String sql, List<ChangeUpsert> rows, Instant now) {
        return database.sql(sql)
                .bind("rows", Json.of(json.writeValueAsString(rows)))
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("methodology", Methodology.VERSION)
                .then();
    }

    private static List<ComparablePoints> bySeries(List<Row> rows) {
        Map<Long, List<Row>> series = new LinkedHashMap<>();
        rows.forEach(row ->
                series.computeIfAbsent(row.seriesId(), id -> new ArrayList<>()).add(row));
        return series.values().stream()
                .map(of -> new ComparablePoints(
                        of.getFirst().seriesId(),
                        of.getFirst().metric(),
                        of.stream().map(Row::seen).toList()))
                .toList();
    }

    private static double mean(Readable row) {
        return Objects.requireNonNull(row.get("mean", Double.class));
    }
}
