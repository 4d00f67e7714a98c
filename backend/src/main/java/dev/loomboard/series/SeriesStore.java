package dev.loomboard.series;

import static dev.loomboard.web.Rows.flag;
import static dev.loomboard.web.Rows.instant;
import static dev.loomboard.web.Rows.number;
import static dev.loomboard.web.Rows.text;
import static dev.loomboard.web.Rows.textOrNull;
import static dev.loomboard.web.Rows.whole;

import dev.loomboard.web.Caller;
import dev.loomboard.web.Rows;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads histories. A point is seen by who may see its run, whoever may see the series. */
@Repository
public class SeriesStore {

    /** Plan: series_external_id_uq, then series_family_ix for the other tracks. */
    static final String FAMILY = """
            select f.series_id, f.external_id, w.slug as workspace, f.metric, f.server, f.variant, f.concurrency_model,
                   f.workload, f.scenario_key, f.collector, f.protocol, f.track_feature, f.track_vendor, f.track_arch,
                   m.external_id as machine, m.slug as machine_slug, m.name as machine_name
              from series s
              join series f on f.workspace_id = s.workspace_id and f.family_key = s.family_key
              join workspace w on w.workspace_id = f.workspace_id
              join machine m on m.machine_id = f.machine_id
             where s.external_id = :series
               and (s.visibility = 'public' or s.workspace_id = any(:workspaces))
               and (f.visibility = 'public' or f.workspace_id = any(:workspaces))
             order by f.track_feature desc, f.track_vendor, f.track_arch
             limit 200
            """;

    /** The newest points of each track: thousands a page cannot show. Plan: point_series_measured_ix, primary keys. */
    static final String POINTS = """
            select p.series_id, j.slug as build, j.runtime_version, j.availability, j.build_order,
                   r.external_id as run, c.external_id as cell, p.measured_at, p.mean, p.low, p.high, p.trial_values,
                   (select array_agg(t.external_id order by u.place)
                      from unnest(p.trial_ids) with ordinality u (trial_id, place) join trial t using (trial_id)) as trials,
                   p.eligible, p.standing, p.reason, p.server_digest, p.fingerprint_hash
              from unnest(:series::bigint[]) as k (series_id)
              cross join lateral (select * from point p where p.series_id = k.series_id
                                   order by p.measured_at desc limit 1000) p
              join run r on r.run_id = p.run_id
              join cell c on c.cell_id = p.cell_id
              join jdk_build j on j.jdk_build_id = p.jdk_build_id
             where r.visibility = 'public' or r.workspace_id = any(:workspaces)
             order by p.series_id, j.build_order, p.measured_at, p.point_id
            """;

    private final DatabaseClient database;

    public SeriesStore(DatabaseClient database) {
        this.database = database;
    }

    /** The family of a series, by the series' external id. Two queries. */
    public Mono<SeriesFamily> family(String series, Caller caller) {
        return database.sql(FAMILY)
                .bind("series", series)
                .bind("workspaces", Rows.keys(caller.workspaces()))
                .map(SeriesStore::member)
                .all()
                .collectList()
                .filter(members -> !members.isEmpty())
                .flatMap(members -> points(members, caller).map(points -> History.family(series, members, points)));
    }

    private Mono<List<History.Row>> points(List<History.Member> members, Caller caller) {
        return database.sql(POINTS)
                .bind("series", members.stream().map(History.Member::key).toArray(Long[]::new))
                .bind("workspaces", Rows.keys(caller.workspaces()))
                .map(SeriesStore::point)
                .all()
                .collectList();
    }

    private static History.Member member(Readable row) {
        return new History.Member(
                number(row, "series_id"),
                new SeriesFamily(
                        text(row, "external_id"),
                        text(row, "workspace"),
                        text(row, "metric"),
                        text(row, "server"),
                        text(row, "variant"),
                        text(row, "concurrency_model"),
                        text(row, "workload"),
                        text(row, "scenario_key"),
                        text(row, "collector"),
                        text(row, "protocol"),
                        text(row, "machine"),
                        text(row, "machine_slug"),
                        text(row, "machine_name"),
                        List.of()),
                whole(row, "track_feature"),
                text(row, "track_vendor"),
                text(row, "track_arch"));
    }

    private static History.Row point(Readable row) {
        return new History.Row(
                number(row, "series_id"),
                text(row, "server_digest"),
                text(row, "fingerprint_hash"),
                new SeriesFamily.Point(
                        text(row, "build"),
                        text(row, "runtime_version"),
                        text(row, "availability"),
                        text(row, "run"),
                        text(row, "cell"),
                        instant(row, "measured_at"),
                        Objects.requireNonNull(row.get("mean", Double.class)),
                        row.get("low", Double.class),
                        row.get("high", Double.class),
                        List.of(Objects.requireNonNull(row.get("trial_values", Double[].class))),
                        List.of(Objects.requireNonNull(row.get("trials", String[].class))),
                        flag(row, "eligible"),
                        text(row, "standing"),
                        textOrNull(row, "reason"),
                        0,
                        null));
    }
}
