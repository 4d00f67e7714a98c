package dev.loomboard.series;

import static dev.loomboard.web.Rows.flag;
import static dev.loomboard.web.Rows.instant;
import static dev.loomboard.web.Rows.instantOrNull;
import static dev.loomboard.web.Rows.number;
import static dev.loomboard.web.Rows.text;
import static dev.loomboard.web.Rows.textOrNull;
import static dev.loomboard.web.Rows.whole;

import dev.loomboard.catalog.Retracted;
import dev.loomboard.catalog.RetractedStore;
import dev.loomboard.compare.Declared;
import dev.loomboard.matrix.Load;
import dev.loomboard.web.Caller;
import dev.loomboard.web.Rows;
import dev.loomboard.web.WorkspaceId;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads histories. A point is seen by who may see its run, whoever may see the series. */
@Repository
public class SeriesStore {

    /**
     * With what the machine was and what else of the cell is judged, told by the series that was asked for. Plan:
     * series_external_id_uq, then series_family_ix for the other tracks; point_series_measured_ix and cell_pk for a load;
     * series_key_uq for the other metrics (a key is family, whose end is the metric, and track); machine_host_since_ix.
     */
    static final String FAMILY = """
            select f.series_id, f.external_id, w.workspace_id, w.slug as workspace, f.metric, f.server, f.variant, f.concurrency_model,
                   f.workload, f.scenario_key, f.collector, f.protocol, f.track_feature, f.track_vendor, f.track_arch,
                   m.external_id as machine, m.slug as machine_slug, m.name as machine_name,
                   (select c.load from point p join cell c on c.cell_id = p.cell_id where p.series_id = f.series_id
                     order by p.measured_at desc limit 1) as load,
                   case when f.series_id = s.series_id then
                     (select json_agg(json_build_object('since', h.since, 'fingerprint', h.fingerprint_hash,
                                                        'agentVersion', h.agent_version, 'facts', h.facts) order by h.since)
                        from (select * from machine_host h where h.machine_id = m.machine_id
                               order by h.since desc limit 200) h) end as hosts,
                   case when f.series_id = s.series_id then
                     (select json_agg(json_build_object('metric', o.metric, 'series', o.external_id) order by u.nr)
                        from unnest(:judged::text[]) with ordinality u (metric, nr)
                        join series o on o.workspace_id = s.workspace_id
                                     and o.series_key = left(s.family_key, -length(s.metric)) || u.metric
                                                        || substr(s.series_key, length(s.family_key) + 1)
                       where o.visibility = 'public' or o.workspace_id = any(:workspaces)) end as siblings
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

    /**
     * How much of a history is read.
     *
     * @param points of each track, the newest; @param valued of these have the values of their trials
     * @param named trials of the newest fifty are named, where a point has no more than so many: look-ups cost most
     */
    record Depth(int points, int valued, int named) {
        static final Depth CHART = new Depth(0, 0, 0);
        static final Depth PAGE = new Depth(HistoryPage.LISTED, HistoryPage.LISTED, HistoryPage.LINKED);
        static final Depth TWIN = new Depth(COURSE_POINTS, COURSE_POINTS, 100);
        static final Depth WHOLE = new Depth(MOST_POINTS, 0, 0);
    }

    /** Of each track, for its chart and what it can see. */
    static final int COURSE_POINTS = 500;

    /** Of each track, as CSV: a point a night for a quarter of a century. */
    static final int MOST_POINTS = 10_000;

    /**
     * The course of each track, a row per build, server and host: what is the same for hundreds of points is not sent
     * hundreds of times. Plan: point_series_measured_ix, primary keys.
     */
    static final String COURSE =
            """
            select o.*, j.slug, j.runtime_version, j.availability, ret.retracted
              from (select p.series_id, p.jdk_build_id, p.server_digest, p.fingerprint_hash, max(k.read) as read,
                           array_agg(p.point_id) as points, array_agg(r.external_id) as runs,
                           array_agg((extract(epoch from p.measured_at) * 1000000)::bigint) as micros,
                           array_agg(p.mean) as means, array_agg(p.low) as lows, array_agg(p.high) as highs,
                           array_agg(p.trials) as trials, array_agg(p.eligible and p.standing <> 'unranked') as judged
                      from (select k.series_id, (select count(*)::int from (select 1 from point p where p.series_id = k.series_id
                                                                              limit :most) p) as read
                              from unnest(:series::bigint[]) as k (series_id)) k
                     cross join lateral (select p.series_id, p.point_id, p.run_id, p.jdk_build_id, p.measured_at, p.mean, p.low,
                                                p.high, p.trials, p.eligible, p.standing, p.server_digest, p.fingerprint_hash
                                           from point p where p.series_id = k.series_id
                                          order by p.measured_at desc limit :most) p
                      join run r on r.run_id = p.run_id
                     where r.visibility = 'public' or r.workspace_id = any(:workspaces)
                     group by p.series_id, p.jdk_build_id, p.server_digest, p.fingerprint_hash) o
              join jdk_build j on j.jdk_build_id = o.jdk_build_id
              join series s on s.series_id = o.series_id
            """ + RetractedStore.join("s.server", "o.server_digest", "s.workload", "s.scenario_key") + """
             order by o.series_id, j.build_order, j.jdk_build_id
            """;

    /** The newest points of each track in full. Plan: point_series_measured_ix, primary keys. */
    static final String POINTS =
            """
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
            """ + RetractedStore.join("c.server", "p.server_digest", "c.workload", "c.scenario_key") + """
             where r.visibility = 'public' or r.workspace_id = any(:workspaces)
             order by p.series_id, j.build_order, j.jdk_build_id, p.measured_at, p.point_id
            """;

    /**
     * Change points whose first point the caller may see, with what their rerun showed. Plan: change_point_series_uq, primary
     * keys, comparison_run_uq.
     */
    static final String CHANGES =
            """
            select c.series_id, c.point_id, c.external_id, r.external_id as run, p.measured_at, c.before, c.after, c.p, c.direction, c.standing,
                   c.status, c.confirmed_by, c.history_at, c.history_change, c.history_p, c.history_reason, c.rerun_reason,
                   c.detected_at, c.decided_at, c.jdk_build_id <> c.good_build_id as of_the_build,
                   j.lineage_hash <> g.lineage_hash as distribution,
                   j.slug as build, j.feature, j.runtime_version, j.availability,
                   g.slug as good, g.feature as good_feature, g.runtime_version as good_version, g.availability as good_availability,
                   x.external_id as rerun, v.verdict, v.effect, v.low, v.high,
                   coalesce(b.jdk_build_id = c.jdk_build_id, false) as turned, ret.retracted
              from change_point c
              join series s on s.series_id = c.series_id
              join point p on p.point_id = c.point_id
              join run r on r.run_id = p.run_id
              join jdk_build j on j.jdk_build_id = c.jdk_build_id
              join jdk_build g on g.jdk_build_id = c.good_build_id
              left join run x on x.run_id = c.rerun_run_id
                             and (x.visibility = 'public' or x.workspace_id = any(:workspaces))
              left join comparison v on v.comparison_id = c.rerun_comparison_id and v.run_id = x.run_id
              left join cell b on b.cell_id = v.baseline_cell_id
            """ + RetractedStore.join("s.server", "p.server_digest", "s.workload", "s.scenario_key") + """
             where c.series_id = any(:series::bigint[])
               and (r.visibility = 'public' or r.workspace_id = any(:workspaces))
             order by c.series_id, j.build_order, j.jdk_build_id
             limit 1000
            """;

    /** Of series that the caller sees, so by whomever they are. Plan: annotation_series_ix, primary keys. */
    static final String NOTES = """
            select s.external_id as series, a.external_id, a.day, j.slug as build, j.runtime_version, j.availability, a.note,
                   b.display_name as by
              from annotation a
              join series s on s.series_id = a.series_id
              join account b on b.account_id = a.created_by
              left join jdk_build j on j.jdk_build_id = a.jdk_build_id
             where a.series_id = any(:series::bigint[])
             order by a.day desc, a.annotation_id desc
             limit 200
            """;

    private static final TypeReference<List<SeriesFamily.Sibling>> SIBLINGS = new TypeReference<>() {};
    private static final TypeReference<List<HostState.Row>> HOSTS = new TypeReference<>() {};

    private final DatabaseClient database;
    private final JsonMapper json;

    public SeriesStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** The family of a series, by the series' external id. Five queries. */
    Mono<SeriesFamily> family(String series, Caller caller, Depth depth) {
        return database.sql(FAMILY)
                .bind("series", series)
                .bind("judged", Declared.ALL.toArray(String[]::new))
                .bind("workspaces", Rows.keys(caller.workspaces()))
                .map(this::member)
                .all()
                .collectList()
                .filter(members -> !members.isEmpty())
                .flatMap(members -> family(series, members, caller, depth));
    }

    private Mono<SeriesFamily> family(String asked, List<History.Member> members, Caller caller, Depth depth) {
        Long[] series = members.stream().map(History.Member::key).toArray(Long[]::new);
        Long[] workspaces = Rows.keys(caller.workspaces());
        var course = database.sql(COURSE)
                .bind("series", series)
                .bind("most", Math.max(COURSE_POINTS, depth.points()))
                .bind("workspaces", workspaces)
                .map(SeriesStore::alike)
                .all()
                .collectList();
        var points = database.sql(POINTS)
                .bind("series", series)
                .bind("most", depth.points())
                .bind("valued", depth.valued())
                .bind("named", depth.named())
                .bind("workspaces", workspaces)
                .map(SeriesStore::point)
                .all()
                .collectList();
        var changes = database.sql(CHANGES)
                .bind("series", series)
                .bind("workspaces", workspaces)
                .map(SeriesStore::change)
                .all()
                .collectList();
        var notes = database.sql(NOTES)
                .bind("series", series)
                .map(SeriesStore::note)
                .all()
                .collectList();
        return Mono.zip(course, points, changes, notes)
                .map(all -> History.family(asked, members, all.getT1(), all.getT2(), all.getT3(), all.getT4()));
    }

    private History.Member member(Readable row) {
        Json hosts = row.get("hosts", Json.class);
        Json load = row.get("load", Json.class);
        Json siblings = row.get("siblings", Json.class);
        List<String> judged = load == null ? List.of() : Declared.metrics(json.readValue(load.asString(), Load.class));
        return new History.Member(
                number(row, "series_id"),
                new SeriesFamily(
                        text(row, "external_id"),
                        new WorkspaceId(number(row, "workspace_id")),
                        judged.contains(text(row, "metric")),
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
                        siblings == null
                                ? List.of()
                                : json.readValue(siblings.asString(), SIBLINGS).stream()
                                        .filter(sibling -> judged.contains(sibling.metric()))
                                        .toList(),
                        List.of(),
                        List.of(),
                        List.of()),
                whole(row, "track_feature"),
                text(row, "track_vendor"),
                text(row, "track_arch"),
                hosts == null ? List.of() : json.readValue(hosts.asString(), HOSTS));
    }

    private static Note note(Readable row) {
        String version = textOrNull(row, "runtime_version");
        return new Note(
                text(row, "series"),
                text(row, "external_id"),
                Objects.requireNonNull(row.get("day", LocalDate.class)),
                textOrNull(row, "build"),
                version == null ? null : HistoryPage.shortVersion(version, text(row, "availability")),
                text(row, "note"),
                text(row, "by"));
    }

    private static SeenChange.Rerun rerun(Readable row, String run) {
        SeenChange.Rerun rerun = new SeenChange.Rerun(
                run,
                textOrNull(row, "verdict"),
                row.get("effect", Double.class),
                row.get("low", Double.class),
                row.get("high", Double.class));
        return flag(row, "turned") ? rerun.turned() : rerun;
    }

    private static SeenChange change(Readable row) {
        Instant looked = instantOrNull(row, "history_at");
        Double change = row.get("history_change", Double.class);
        String rerun = textOrNull(row, "rerun");
        return new SeenChange(
                number(row, "series_id"),
                number(row, "point_id"),
                text(row, "external_id"),
                new SeenChange.Build(
                        text(row, "build"),
                        whole(row, "feature"),
                        text(row, "runtime_version"),
                        text(row, "availability")),
                new SeenChange.Build(
                        text(row, "good"),
                        whole(row, "good_feature"),
                        text(row, "good_version"),
                        text(row, "good_availability")),
                text(row, "run"),
                instant(row, "measured_at"),
                value(row, "before"),
                value(row, "after"),
                value(row, "p"),
                text(row, "direction"),
                flag(row, "standing"),
                text(row, "status"),
                textOrNull(row, "confirmed_by"),
                looked == null || change == null
                        ? null
                        : new SeenChange.Look(
                                looked, change, row.get("history_p", Double.class), textOrNull(row, "history_reason")),
                rerun == null ? null : rerun(row, rerun),
                textOrNull(row, "rerun_reason"),
                flag(row, "of_the_build"),
                flag(row, "distribution"),
                RetractedStore.read(row),
                instant(row, "detected_at"),
                instantOrNull(row, "decided_at"));
    }

    private static double value(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Double.class), column);
    }

    private static Course.Alike alike(Readable row) {
        Long[] points = array(row, "points", Long[].class);
        String[] runs = array(row, "runs", String[].class);
        Long[] micros = array(row, "micros", Long[].class);
        Double[] means = array(row, "means", Double[].class);
        @Nullable Double[] lows = array(row, "lows", Double[].class);
        @Nullable Double[] highs = array(row, "highs", Double[].class);
        Integer[] trials = array(row, "trials", Integer[].class);
        Boolean[] judged = array(row, "judged", Boolean[].class);
        boolean retracted = RetractedStore.read(row) != null;
        List<Course.Spot> spots = new ArrayList<>(points.length);
        for (int i = 0; i < points.length; i++) {
            Instant at = Instant.EPOCH.plus(micros[i], ChronoUnit.MICROS);
            spots.add(new Course.Spot(
                    points[i], runs[i], at, means[i], lows[i], highs[i], trials[i], judged[i] && !retracted));
        }
        return new Course.Alike(
                number(row, "series_id"),
                whole(row, "read"),
                text(row, "slug"),
                text(row, "runtime_version"),
                text(row, "availability"),
                text(row, "server_digest"),
                text(row, "fingerprint_hash"),
                retracted,
                spots);
    }

    private static <T> T array(Readable row, String column, Class<T> type) {
        return Objects.requireNonNull(row.get(column, type), column);
    }

    private static History.Row point(Readable row) {
        Retracted retracted = RetractedStore.read(row);
        return new History.Row(
                number(row, "series_id"),
                number(row, "point_id"),
                whole(row, "age"),
                new SeriesFamily.Point(
                        text(row, "build"),
                        text(row, "runtime_version"),
                        text(row, "availability"),
                        text(row, "run"),
                        text(row, "cell"),
                        instant(row, "measured_at"),
                        value(row, "mean"),
                        row.get("low", Double.class),
                        row.get("high", Double.class),
                        whole(row, "trial_count"),
                        List.of(array(row, "trial_values", Double[].class)),
                        List.of(array(row, "trials", String[].class)),
                        flag(row, "eligible"),
                        retracted == null ? text(row, "standing") : Retracted.STANDING,
                        retracted == null ? textOrNull(row, "reason") : retracted.words(),
                        retracted,
                        0,
                        null));
    }
}
