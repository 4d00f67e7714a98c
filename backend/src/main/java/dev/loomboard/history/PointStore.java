package dev.loomboard.history;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.Availability;
import dev.loomboard.cell.Standing;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.retracted.RetractedSql;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads the points of histories. A caller sees a point if the caller may see its run, regardless of the series. */
@Repository
public class PointStore {

    /**
     * The course of each track, a row per build, server and host, and per retracted run: what is the same for hundreds of points is not sent
     * hundreds of times. Plan: point_series_measured_ix, primary keys.
     */
    public static final String COURSE = """
            select o.*, j.slug, j.runtime_version, ret.retracted
              from (select p.series_id, p.jdk_build_id, p.server_digest, p.fingerprint_hash, max(n.read) as read, x.run_id as retracted_run,
                           array_agg(p.point_id) as points, array_agg(r.external_id) as runs,
                           array_agg((extract(epoch from p.measured_at) * 1000000)::bigint) as micros,
                           array_agg(p.mean) as means, array_agg(p.low) as lows, array_agg(p.high) as highs,
                           array_agg(p.trials) as trials, array_agg(p.eligible and p.standing <> 'unranked') as judged
                      from unnest(:series::bigint[]) as k (series_id)
                     cross join lateral (select count(*)::int as read
                                           from (select 1 from point p where p.series_id = k.series_id limit :most) p) n
                     cross join lateral (select p.series_id, p.point_id, p.run_id, p.jdk_build_id, p.measured_at, p.mean, p.low,
                                                p.high, p.trials, p.eligible, p.standing, p.server_digest, p.fingerprint_hash
                                           from point p where p.series_id = k.series_id
                                          order by p.measured_at desc limit :most) p
                      join run r on r.run_id = p.run_id
                      left join retraction x on x.run_id = p.run_id and x.withdrawn_at is null
                     where visible(r)
                     group by p.series_id, p.jdk_build_id, p.server_digest, p.fingerprint_hash, x.run_id) o
              join jdk_build j on j.jdk_build_id = o.jdk_build_id
              join series s on s.series_id = o.series_id
            """
            + RetractedSql.join(new RetractedSql.Result(
                    "s.server", "o.server_digest", "s.workload", "s.scenario_key", "s.machine_id", "o.retracted_run"))
            + """
             order by o.series_id, j.build_order, j.jdk_build_id
            """;

    /** The newest points of each track in full. Plan: point_series_measured_ix, primary keys. */
    public static final String POINTS = """
            select p.series_id, p.point_id, p.age::int as age, j.slug as build, j.runtime_version, j.availability,
                   r.external_id as run, c.external_id as cell, p.measured_at, p.mean, p.low, p.high, p.trials as trial_count,
                   case when p.age <= :valued then p.trial_values else '{}' end as trial_values,
                   case when p.age <= 50 and p.trials <= :named then array(
                     select t.external_id from unnest(p.trial_ids) with ordinality u (trial_id, place) join trial t using (trial_id)
                      order by u.place) else '{}' end as trials,
                   p.eligible, p.standing, p.reason, ret.retracted
              from unnest(:series::bigint[]) as k (series_id)
              cross join lateral (select p.*, row_number() over (order by p.measured_at desc) as age
                                    from point p where p.series_id = k.series_id
                                   order by p.measured_at desc limit :most) p
              join run r on r.run_id = p.run_id
              join cell c on c.cell_id = p.cell_id
              join jdk_build j on j.jdk_build_id = p.jdk_build_id
            """
            + RetractedSql.join(new RetractedSql.Result(
                    "c.server", "p.server_digest", "c.workload", "c.scenario_key", "r.machine_id", "p.run_id"))
            + """
             where visible(r)
             order by p.series_id, j.build_order, j.jdk_build_id, p.measured_at, p.point_id
            """;

    private final DatabaseClient database;

    public PointStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param series internal keys */
    Mono<List<TrackPoints.PointGroup>> course(Long[] series, SeriesStore.Depth depth, Caller caller) {
        return VisibleSql.query(database, caller, COURSE)
                .bind("series", series)
                .bind("most", Math.max(TrackPoints.MOST_POINTS, depth.points()))
                .map(PointStore::alike)
                .all()
                .collectList();
    }

    /** @param series internal keys */
    Mono<List<History.Row>> newest(Long[] series, SeriesStore.Depth depth, Caller caller) {
        return VisibleSql.query(database, caller, POINTS)
                .bind("series", series)
                .bind("most", depth.points())
                .bind("valued", depth.valued())
                .bind("named", depth.named())
                .map(PointStore::point)
                .all()
                .collectList();
    }

    private static TrackPoints.PointGroup alike(Readable row) {
        Long[] points = present(row, "points", Long[].class);
        String[] runs = present(row, "runs", String[].class);
        Long[] micros = present(row, "micros", Long[].class);
        Double[] means = present(row, "means", Double[].class);
        @Nullable Double[] lows = present(row, "lows", Double[].class);
        @Nullable Double[] highs = present(row, "highs", Double[].class);
        Integer[] trials = present(row, "trials", Integer[].class);
        Boolean[] judged = present(row, "judged", Boolean[].class);
        boolean retracted = RetractedSql.read(row) != null;
        List<TrackPoints.PointSummary> spots = new ArrayList<>(points.length);
        for (int i = 0; i < points.length; i++) {
            Instant at = Instant.EPOCH.plus(micros[i], ChronoUnit.MICROS);
            spots.add(new TrackPoints.PointSummary(
                    points[i], runs[i], at, means[i], lows[i], highs[i], trials[i], judged[i] && !retracted));
        }
        return new TrackPoints.PointGroup(
                number(row, "series_id"),
                whole(row, "read"),
                text(row, "slug"),
                text(row, "runtime_version"),
                text(row, "server_digest"),
                text(row, "fingerprint_hash"),
                retracted,
                spots);
    }

    private static History.Row point(Readable row) {
        Retracted retracted = RetractedSql.read(row);
        return new History.Row(
                number(row, "series_id"),
                number(row, "point_id"),
                whole(row, "age"),
                new SeriesFamily.Point(
                        text(row, "build"),
                        text(row, "runtime_version"),
                        WireName.of(Availability.class, text(row, "availability")),
                        text(row, "run"),
                        text(row, "cell"),
                        instant(row, "measured_at"),
                        new SeriesFamily.Estimate(
                                present(row, "mean", Double.class),
                                row.get("low", Double.class),
                                row.get("high", Double.class)),
                        new SeriesFamily.PointTrials(
                                whole(row, "trial_count"),
                                List.of(present(row, "trial_values", Double[].class)),
                                List.of(present(row, "trials", String[].class))),
                        new SeriesFamily.PointStanding(
                                flag(row, "eligible"),
                                retracted == null
                                        ? WireName.of(Standing.class, text(row, "standing"))
                                        : Standing.RETRACTED,
                                retracted == null ? textOrNull(row, "reason") : retracted.words(),
                                retracted),
                        new SeriesFamily.Segment(0, null)));
    }

    private static <T> T present(Readable row, String column, Class<T> type) {
        return Objects.requireNonNull(row.get(column, type), column);
    }
}
