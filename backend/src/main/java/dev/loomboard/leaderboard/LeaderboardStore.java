package dev.loomboard.leaderboard;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.AdmittedSql;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.CellSql;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.JdkSql;
import dev.loomboard.cell.MachineRef;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.Standing;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.stats.RunSpread;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.Sparkline;
import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads leaderboard entries as they were rolled up at ingest: no page computes over a history. */
@Repository
public class LeaderboardStore {

    /** A scenario has at most servers × builds × machines entries; beyond this a filter is needed anyway. */
    static final int MOST_ENTRIES = 1000;

    private static final TypeReference<LinkedHashMap<String, MetricReading>> READINGS = new TypeReference<>() {};
    private static final TypeReference<List<Line>> LINES = new TypeReference<>() {};

    private static final RetractedSql.Result RESULT = new RetractedSql.Result(
            "e.server", "e.server_digest", "e.workload", "e.scenario_key", "e.machine_id", "e.run_id");

    private static final RetractedSql.Result POINT = new RetractedSql.Result(
            "s.server", "p.server_digest", "s.workload", "s.scenario_key", "s.machine_id", "p.run_id");

    private static final String ENTRY = """
            select e.leaderboard_entry_id, e.scenario_key, w.slug as workspace, e.visibility, m.origin_id is not null as imported,
                   """ + CellSql.MACHINE + """
                   , e.class_hash, e.class_label, """ + CellSql.server("e") + """
                   , e.collector, e.jvm_options, e.limits, e.protocol,
                   """ + JdkSql.COLUMNS + """
                   , r.external_id as run, c.external_id as cell, e.trials, e.metrics::text as metrics,
                   """
            + AdmittedSql.admitted("e") + """
                   as admitted, e.headline, e.standing, e.reasons, e.measured_at, k.best, k.worst, k.entries, k.run_spread, k.spread_assumed, ret.retracted,
                   near.cells as nearest_cells,
                   array(select n.external_id from unnest(near.cells) with ordinality as o (cell_id, place)
                                join cell n on n.cell_id = o.cell_id where o.place <= """ + Rank.NAMED + """
                                order by o.place) as nearest
              from leaderboard_entry e
              left join leaderboard_rank k using (leaderboard_entry_id)
             cross join lateral (
                   select array(select o.cell_id from unnest(k.nearest) with ordinality as o (cell_id, place)
                                 where o.cell_id = any(:among) order by o.place) as cells) near
              join workspace w using (workspace_id)
              join machine m on m.machine_id = e.machine_id
              join jdk_build j on j.jdk_build_id = e.jdk_build_id
              join run r on r.run_id = e.run_id
              join cell c on c.cell_id = e.cell_id
            """
            + RetractedSql.join(RESULT)
            + " where visible(e)";

    static final String OUTLINES = """
            select e.scenario_key, """ + CellSql.MACHINE + """
                   , """ + JdkSql.COLUMNS + """
                   , e.lines::text as lines
              from (select e.scenario_key, e.machine_id, e.jdk_build_id,
                           json_agg(json_build_object(
                             'id', e.leaderboard_entry_id, 'cell', e.cell_id,
                             'audience', e.audience, 'classHash', e.class_hash,
                             'server', json_build_object('server', e.server, 'variant', e.variant, 'concurrencyModel', e.concurrency_model),
                             'framework', e.framework,
                             'settings', json_build_object('collector', e.collector, 'jvmOptions', e.jvm_options, 'limits', e.limits,
                                                           'protocol', e.protocol),
                             'standing', e.standing, 'headline', e.headline, 'placed', e.placed, 'asked', e.asked, 'usual', e.usual)) as lines
                      from (select e.*, case e.visibility when 'public' then '' else w.slug end as audience,
                                   (e.metrics #>> array[coalesce(e.headline, :usual), 'mean'])::float8 as usual
                              from (select e.leaderboard_entry_id, e.cell_id, e.workspace_id, e.scenario_key, e.machine_id, e.jdk_build_id,
                                   e.visibility, e.class_hash, e.protocol, e.server, e.variant, e.framework, e.concurrency_model,
                                   e.collector, e.jvm_options, e.limits,
                                   case when"""
            + RetractedSql.none(RESULT) + """
                                     then case when""" + AdmittedSql.admitted("e") + """
                                               then e.standing else 'unverified' end
                                     else 'retracted' end as standing,
                                   e.headline, e.metrics, k.leaderboard_entry_id is not null as placed,
                                   case when :asked <> '' then (e.metrics #>> array[:asked, 'mean'])::float8 end as asked
                              from leaderboard_entry e left join leaderboard_rank k using (leaderboard_entry_id)
                             where visible(e) %s
                             order by e.measured_at desc limit :most) e
                              join workspace w using (workspace_id)
                             order by e.scenario_key, e.machine_id, e.jdk_build_id) e
                     group by e.scenario_key, e.machine_id, e.jdk_build_id) e
              join machine m on m.machine_id = e.machine_id
              join jdk_build j on j.jdk_build_id = e.jdk_build_id
             order by j.build_order desc, j.slug, e.scenario_key, m.machine_id
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    public LeaderboardStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * Keys of the scenarios that the caller may see results of. First those of the machine that is asked for, then those that a machine
     * of this service measured, before what was only imported; of these the one that says most: with most ranked entries,
     * then with most at all, then in the order of its matrix. Plan: leaderboard_entry_scenario_ix, whose entries do
     * not grow with time, machine_pk; cell_pk per scenario.
     *
     * @param machine external id; null: none is asked for
     */
    public Mono<List<String>> scenarios(Caller caller, @Nullable String machine) {
        return VisibleSql.query(database, caller, """
                        select e.scenario_key
                          from (select e.scenario_key, bool_or(m.external_id = :machine) as asked, bool_or(m.origin_id is null) as here,
                                       count(*) as entries, count(*) filter (where e.standing = 'ranked' and """ + AdmittedSql.admitted("e") + """
                                       ) as ranked,
                                       min(e.cell_id) as cell_id
                                  from leaderboard_entry e join machine m on m.machine_id = e.machine_id
                                 where visible(e)
                                 group by e.scenario_key) e
                          join cell c using (cell_id)
                         order by e.asked desc, e.here desc, e.ranked desc, e.entries desc, c.ordinal, e.scenario_key
                         limit 200
                        """)
                .bind("machine", Objects.requireNonNullElse(machine, ""))
                .map(row -> text(row, "scenario_key"))
                .all()
                .collectList();
    }

    /**
     * All entries of scenarios, newest build first; without scenarios the newest of all. A row per scenario, machine and
     * build: what they share is sent once. Plan: leaderboard_entry_scenario_ix, keys for the joins.
     *
     * @param scenarioKeys empty: all
     */
    Mono<List<EntrySummary>> outlines(Caller caller, List<String> scenarioKeys, EntrySummary.Order order) {
        return scenarioKeys.isEmpty()
                ? read(VisibleSql.query(database, caller, OUTLINES.formatted("")), order)
                : read(
                        VisibleSql.query(database, caller, OUTLINES.formatted("and e.scenario_key = any(:scenarios)"))
                                .bind("scenarios", scenarioKeys.toArray(String[]::new)),
                        order);
    }

    /** The newest entries of one server, of all scenarios, newest build first. Plan: leaderboard_entry, which does not grow with time, read whole. */
    Mono<List<EntrySummary>> outlinesOf(Caller caller, String server) {
        return read(
                VisibleSql.query(database, caller, OUTLINES.formatted("and e.server = :server"))
                        .bind("server", server),
                new EntrySummary.Order(null, BoardColumn.P50));
    }

    private Mono<List<EntrySummary>> read(DatabaseClient.GenericExecuteSpec query, EntrySummary.Order order) {
        return query.bind("asked", Objects.requireNonNullElse(order.asked(), ""))
                .bind("usual", order.usual())
                .bind("most", MOST_ENTRIES)
                .map(this::outlines)
                .all()
                .flatMapIterable(same -> same)
                .collectList();
    }

    /** Variants of servers with results, by name. Plan: leaderboard_entry, which does not grow with time, read whole. */
    Mono<List<ServerListPage.Measured>> servers(Caller caller) {
        return VisibleSql.query(database, caller, """
                        select e.server, e.variant, e.concurrency_model, max(e.framework) as framework,
                               count(distinct e.scenario_key)::int as scenarios, max(e.measured_at) as last_at
                          from leaderboard_entry e
                         where visible(e)
                         group by e.server, e.variant, e.concurrency_model
                         order by e.server, e.variant, e.concurrency_model limit 1000
                        """)
                .map(row -> new ServerListPage.Measured(
                        CellSql.server(row), whole(row, "scenarios"), instant(row, "last_at")))
                .all()
                .collectList();
    }

    /**
     * Entries in full, by internal key. Plan: leaderboard_entry_pk, keys for the joins.
     *
     * @param among cells that their ranks name, by internal key
     */
    public Mono<Map<Long, Entry>> entries(Caller caller, Collection<Long> ids, Collection<Long> among) {
        return VisibleSql.query(database, caller, ENTRY + " and e.leaderboard_entry_id = any(:ids)")
                .bind("ids", ids.toArray(Long[]::new))
                .bind("among", among.toArray(Long[]::new))
                .map(row -> Map.entry(number(row, "leaderboard_entry_id"), entry(row)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /**
     * The newest points of histories that may be judged, the oldest first, by external id. Plan: series_external_id_uq, point_series_measured_ix, run_pk.
     *
     * @param series external ids
     */
    Mono<Map<String, List<Double>>> courses(Caller caller, Collection<String> series) {
        return series.isEmpty()
                ? Mono.just(Map.of())
                : VisibleSql.query(database, caller, """
                        select s.external_id as series, array_agg(p.mean order by p.measured_at, p.point_id) as means
                          from series s
                         cross join lateral (select p.mean, p.measured_at, p.point_id from point p join run r on r.run_id = p.run_id
                                              where p.series_id = s.series_id and visible(r)
                                                and p.eligible and p.standing <> 'unranked' and""" + RetractedSql.none(POINT) + """
                                              order by p.measured_at desc limit :most) p
                         where s.external_id = any(:series)
                         group by s.series_id
                        """)
                        .bind("series", series.toArray(String[]::new))
                        .bind("most", Sparkline.MOST)
                        .map(row -> Map.entry(text(row, "series"), List.of(array(row, "means", Double[].class))))
                        .all()
                        .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** Builds with results that the caller may see, newest first. */
    public Mono<List<Jdk>> builds(Caller caller) {
        return VisibleSql.query(database, caller, """
                        select """ + JdkSql.COLUMNS + """
                          from jdk_build j
                         where j.feature > 0
                           and exists (select 1 from leaderboard_entry e
                                        where e.jdk_build_id = j.jdk_build_id
                                          and visible(e))
                         order by j.build_order desc, j.slug limit 500
                        """)
                .map(row -> JdkSql.read(row))
                .all()
                .collectList();
    }

    /** What a row of {@link #OUTLINES} says of each of its entries. */
    record Line(
            long id,
            long cell,
            String audience,
            String classHash,
            ServerVariant server,
            @Nullable String framework,
            CellSettings settings,
            Standing standing,
            @Nullable String headline,
            boolean placed,
            @Nullable Double asked,
            @Nullable Double usual) {}

    private List<EntrySummary> outlines(Readable row) {
        String scenario = text(row, "scenario_key");
        MachineRef machine = CellSql.machine(row);
        Jdk jdk = JdkSql.read(row);
        return json.readValue(text(row, "lines"), LINES).stream()
                .map(line -> new EntrySummary(
                        line.id(),
                        line.cell(),
                        scenario,
                        machine,
                        jdk,
                        new Entry.Board(
                                line.audience(),
                                line.classHash(),
                                line.settings().protocol()),
                        new ServerVariant(
                                line.server().name(),
                                line.server().variant(),
                                line.server().model(),
                                line.framework()),
                        line.settings(),
                        line.standing(),
                        line.headline(),
                        line.placed(),
                        line.asked(),
                        line.usual()))
                .toList();
    }

    private static <T> T array(Readable row, String column, Class<T> type) {
        return Objects.requireNonNull(row.get(column, type), column);
    }

    private Entry entry(Readable row) {
        return new Entry(
                text(row, "scenario_key"),
                new Entry.Place(
                        text(row, "workspace"),
                        WireName.of(Visibility.class, text(row, "visibility")),
                        CellSql.machine(row),
                        flag(row, "imported"),
                        text(row, "class_label")),
                board(row),
                CellSql.server(row),
                CellSql.settings(row),
                JdkSql.read(row),
                new Entry.Source(
                        text(row, "run"), text(row, "cell"), whole(row, "trials"), instant(row, "measured_at")),
                readings(text(row, "metrics")),
                textOrNull(row, "headline"),
                rating(row),
                null);
    }

    private static Entry.Rating rating(Readable row) {
        Retracted retracted = RetractedSql.read(row);
        if (retracted != null) {
            return new Entry.Rating(Standing.RETRACTED, List.of(retracted.words()), null, retracted);
        }
        List<String> reasons = texts(row, "reasons");
        if (!flag(row, "admitted")) {
            List<String> all = new ArrayList<>(List.of(AdmittedSql.NOT_VERIFIED));
            all.addAll(reasons);
            return new Entry.Rating(Standing.UNVERIFIED, all, null, null);
        }
        return new Entry.Rating(WireName.of(Standing.class, text(row, "standing")), reasons, rank(row), null);
    }

    private static Entry.Board board(Readable row) {
        boolean hidden = WireName.of(Visibility.class, text(row, "visibility")) == Visibility.PRIVATE;
        return new Entry.Board(hidden ? text(row, "workspace") : "", text(row, "class_hash"), text(row, "protocol"));
    }

    private static @Nullable Rank rank(Readable row) {
        Integer best = row.get("best", Integer.class);
        return best == null
                ? null
                : new Rank(
                        best,
                        whole(row, "worst"),
                        whole(row, "entries"),
                        texts(row, "nearest"),
                        new Rank.Cells(List.of(array(row, "nearest_cells", Long[].class))),
                        spread(row),
                        null);
    }

    private static @Nullable RunSpread spread(Readable row) {
        Double spread = row.get("run_spread", Double.class);
        return spread == null ? null : new RunSpread(spread, flag(row, "spread_assumed"));
    }

    private Map<String, MetricReading> readings(String metrics) {
        return json.readValue(metrics, READINGS);
    }
}
