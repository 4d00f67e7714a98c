package dev.loomboard.history;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.cell.MachineRef;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.scenario.Load;
import dev.loomboard.verdict.DeclaredTest;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads histories: what their series have in common, and with it their points, changes and notes. */
@Repository
public class SeriesStore {

    /**
     * With what the machine was and what else of the cell has a history, told by the series that was asked for. Plan:
     * series_external_id_uq, then series_family_ix for the other tracks; point_series_measured_ix and cell_pk for a load;
     * series_key_uq for the other metrics (a key is family, whose end is the metric, and track); machine_host_since_ix.
     */
    public static final String FAMILY = """
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
                        from unnest(:metrics::text[]) with ordinality u (metric, nr)
                        join series o on o.workspace_id = s.workspace_id
                                     and o.series_key = left(s.family_key, -length(s.metric)) || u.metric
                                                        || substr(s.series_key, length(s.family_key) + 1)
                       where visible(o)) end as siblings
              from series s
              join series f on f.workspace_id = s.workspace_id and f.family_key = s.family_key
              join workspace w on w.workspace_id = f.workspace_id
              join machine m on m.machine_id = f.machine_id
             where s.external_id = :series
               and visible(s)
               and visible(f)
             order by f.track_feature desc, f.track_vendor, f.track_arch
             limit 200
            """;

    /**
     * How much of a history is read.
     *
     * @param points of each track, the newest
     * @param valued of these have the values of their trials
     * @param named trials of the newest fifty are named, where a point has at most this many: look-ups cost most
     */
    public record Depth(int points, int valued, int named) {
        /** Of each track, as CSV: a point a night for a quarter of a century. */
        private static final int MOST_POINTS = 10_000;

        static final Depth CHART = new Depth(History.SPREAD_OF, History.SPREAD_OF, 0);
        static final Depth PAGE = new Depth(HistoryPage.LISTED, HistoryPage.LISTED, HistoryPage.LINKED);
        public static final Depth TWIN = new Depth(TrackPoints.MOST_POINTS, TrackPoints.MOST_POINTS, 100);
        static final Depth WHOLE = new Depth(MOST_POINTS, 0, 0);

        /**
         * Of a range of points no more in full than it has, and those that tell how trials vary. Those of a range of builds may be any.
         */
        Depth within(HistoryRange range) {
            int full = range.ofBuilds()
                    ? Math.max(points, TrackPoints.MOST_POINTS)
                    : Math.min(points, Math.max(range.newest().most(), History.SPREAD_OF));
            return new Depth(full, valued, named);
        }
    }

    /** First those that are judged of some load. */
    private static final String[] METRICS = Stream.concat(
                    DeclaredTest.COMPARED.stream(),
                    Metrics.all().list().stream().map(Metric::name))
            .distinct()
            .toArray(String[]::new);

    private record SiblingRow(String metric, String series) {}

    private static final TypeReference<List<SiblingRow>> SIBLINGS = new TypeReference<>() {};
    private static final TypeReference<List<HostState.Row>> HOSTS = new TypeReference<>() {};

    private final DatabaseClient database;
    private final JsonMapper json;
    private final PointStore points;
    private final ChangeViewStore changes;
    private final NoteStore notes;

    public SeriesStore(
            DatabaseClient database, JsonMapper json, PointStore points, ChangeViewStore changes, NoteStore notes) {
        this.database = database;
        this.json = json;
        this.points = points;
        this.changes = changes;
        this.notes = notes;
    }

    /** The family of a series, by the series' external id. Five queries. */
    public Mono<SeriesFamily> family(String series, Caller caller, Depth depth) {
        return family(series, caller, depth, HistoryRange.ALL);
    }

    Mono<SeriesFamily> family(String series, Caller caller, Depth depth, HistoryRange range) {
        return VisibleSql.query(database, caller, FAMILY)
                .bind("series", series)
                .bind("metrics", METRICS)
                .map(this::member)
                .all()
                .collectList()
                .filter(members -> !members.isEmpty())
                .flatMap(members -> family(series, members, caller, depth.within(range), range));
    }

    private Mono<SeriesFamily> family(
            String asked, List<History.Member> members, Caller caller, Depth depth, HistoryRange range) {
        Long[] series = members.stream().map(History.Member::key).toArray(Long[]::new);
        var course = points.course(series, depth, caller);
        var newest = points.newest(series, depth, caller);
        return Mono.zip(course, newest, changes.of(series, caller), notes.of(series))
                .map(all -> History.family(asked, members, all.getT1(), all.getT2(), all.getT3(), all.getT4(), range));
    }

    private History.Member member(Readable row) {
        Json hosts = row.get("hosts", Json.class);
        Json load = row.get("load", Json.class);
        Json siblings = row.get("siblings", Json.class);
        List<String> judged =
                load == null ? List.of() : DeclaredTest.metrics(json.readValue(load.asString(), Load.class));
        return new History.Member(
                number(row, "series_id"),
                new SeriesFamily(
                        text(row, "external_id"),
                        new WorkspaceId(number(row, "workspace_id")),
                        judged.contains(text(row, "metric")),
                        text(row, "workspace"),
                        text(row, "metric"),
                        new SeriesFamily.SeriesCell(
                                new ServerVariant(
                                        text(row, "server"),
                                        text(row, "variant"),
                                        WireName.of(ConcurrencyModel.class, text(row, "concurrency_model")),
                                        null),
                                text(row, "workload"),
                                text(row, "scenario_key"),
                                text(row, "collector"),
                                text(row, "protocol"),
                                new MachineRef(
                                        text(row, "machine"), text(row, "machine_slug"), text(row, "machine_name"))),
                        siblings == null
                                ? List.of()
                                : json.readValue(siblings.asString(), SIBLINGS).stream()
                                        .map(s -> new SeriesFamily.Sibling(
                                                s.metric(), s.series(), judged.contains(s.metric())))
                                        .toList(),
                        List.of(),
                        SeriesFamily.Builds.of(List.of()),
                        List.of(),
                        List.of()),
                whole(row, "track_feature"),
                text(row, "track_vendor"),
                text(row, "track_arch"),
                hosts == null ? List.of() : json.readValue(hosts.asString(), HOSTS));
    }
}
