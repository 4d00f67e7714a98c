package dev.loomboard.leaderboard;

import static dev.loomboard.web.Rows.instant;
import static dev.loomboard.web.Rows.json;
import static dev.loomboard.web.Rows.keys;
import static dev.loomboard.web.Rows.text;
import static dev.loomboard.web.Rows.textOrNull;
import static dev.loomboard.web.Rows.texts;
import static dev.loomboard.web.Rows.whole;

import dev.loomboard.catalog.Limits;
import dev.loomboard.catalog.Retracted;
import dev.loomboard.catalog.RetractedStore;
import dev.loomboard.show.Jdk;
import dev.loomboard.show.Reading;
import dev.loomboard.web.Caller;
import io.r2dbc.spi.Readable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    private static final TypeReference<LinkedHashMap<String, Reading>> READINGS = new TypeReference<>() {};

    private static final String ENTRY =
            """
            select e.scenario_key, w.slug as workspace, e.visibility, m.external_id as machine, m.name as machine_name,
                   e.class_hash, e.class_label, e.server, e.variant, e.framework, e.concurrency_model, e.collector, e.jvm_options, e.limits, e.protocol,
                   j.slug, j.vendor, j.runtime_version, j.feature, j.availability, j.architecture, j.lineage_hash,
                   r.external_id as run, c.external_id as cell, e.trials, e.metrics::text as metrics,
                   e.headline, e.standing, e.reasons, e.measured_at, k.best, k.worst, k.entries, ret.retracted,
                   array(select n.external_id from unnest(k.nearest) with ordinality as o (cell_id, place)
                                join cell n on n.cell_id = o.cell_id order by o.place) as nearest
              from leaderboard_entry e
              left join leaderboard_rank k using (leaderboard_entry_id)
              join workspace w using (workspace_id)
              join machine m on m.machine_id = e.machine_id
              join jdk_build j on j.jdk_build_id = e.jdk_build_id
              join run r on r.run_id = e.run_id
              join cell c on c.cell_id = e.cell_id
            """ + RetractedStore.join("e.server", "e.server_digest", "e.workload", "e.scenario_key")
                    + " where (e.visibility = 'public' or e.workspace_id = any(:workspaces))";

    private final DatabaseClient database;
    private final JsonMapper json;

    public LeaderboardStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * Keys of the scenarios that the caller may see results of. First the one that says most: with most ranked entries,
     * then with most at all, then in the order of its matrix. Plan: one pass over the entries, which do not grow with
     * time; cell_pk.
     */
    public Mono<List<String>> scenarios(Caller caller) {
        return database.sql("""
                        select e.scenario_key from leaderboard_entry e join cell c using (cell_id)
                         where e.visibility = 'public' or e.workspace_id = any(:workspaces)
                         group by e.scenario_key
                         order by count(*) filter (where e.standing = 'ranked') desc, count(*) desc, min(c.ordinal),
                                  e.scenario_key
                         limit 200
                        """)
                .bind("workspaces", keys(caller.workspaces()))
                .map(row -> text(row, "scenario_key"))
                .all()
                .collectList();
    }

    /** All entries of scenarios. Plan: leaderboard_entry_scenario_ix, keys for the joins. */
    public Mono<List<Entry>> entries(Caller caller, List<String> scenarioKeys) {
        return database.sql(
                        ENTRY
                                + " and e.scenario_key = any(:scenarios) order by j.build_order desc, j.slug, e.server, e.variant, e.jvm_options, e.limits limit :most")
                .bind("workspaces", keys(caller.workspaces()))
                .bind("scenarios", scenarioKeys.toArray(String[]::new))
                .bind("most", MOST_ENTRIES)
                .map(this::entry)
                .all()
                .collectList();
    }

    /** The newest entries of all scenarios. Plan: one pass over the entries, which do not grow with time. */
    public Mono<List<Entry>> entries(Caller caller) {
        return database.sql(
                        ENTRY
                                + " order by e.measured_at desc, j.build_order desc, j.slug, e.server, e.variant, e.jvm_options, e.limits limit :most")
                .bind("workspaces", keys(caller.workspaces()))
                .bind("most", MOST_ENTRIES)
                .map(this::entry)
                .all()
                .collectList();
    }

    /** Builds with results that the caller may see, newest first. */
    public Mono<List<Jdk>> builds(Caller caller) {
        return database.sql("""
                        select j.slug, j.vendor, j.runtime_version, j.feature, j.availability, j.architecture, j.lineage_hash
                          from jdk_build j
                         where exists (select 1 from leaderboard_entry e
                                        where e.jdk_build_id = j.jdk_build_id
                                          and (e.visibility = 'public' or e.workspace_id = any(:workspaces)))
                         order by j.build_order desc, j.slug limit 500
                        """)
                .bind("workspaces", keys(caller.workspaces()))
                .map(LeaderboardStore::jdk)
                .all()
                .collectList();
    }

    private static Jdk jdk(Readable row) {
        return new Jdk(
                text(row, "slug"),
                text(row, "vendor"),
                text(row, "runtime_version"),
                whole(row, "feature"),
                text(row, "availability").equals("ea"),
                text(row, "architecture"),
                text(row, "lineage_hash"));
    }

    private Entry entry(Readable row) {
        Retracted retracted = RetractedStore.read(row);
        return new Entry(
                text(row, "scenario_key"),
                text(row, "workspace"),
                text(row, "visibility"),
                text(row, "machine"),
                text(row, "machine_name"),
                text(row, "class_hash"),
                text(row, "class_label"),
                text(row, "server"),
                text(row, "variant"),
                textOrNull(row, "framework"),
                text(row, "concurrency_model"),
                text(row, "collector"),
                texts(row, "jvm_options"),
                Limits.of(json(row, "limits")),
                text(row, "protocol"),
                jdk(row),
                text(row, "run"),
                text(row, "cell"),
                whole(row, "trials"),
                readings(text(row, "metrics")),
                textOrNull(row, "headline"),
                retracted == null ? text(row, "standing") : Retracted.STANDING,
                retracted == null ? texts(row, "reasons") : List.of(retracted.words()),
                retracted == null ? rank(row) : null,
                retracted,
                null,
                instant(row, "measured_at"));
    }

    private static @Nullable Rank rank(Readable row) {
        Integer best = row.get("best", Integer.class);
        return best == null
                ? null
                : new Rank(best, whole(row, "worst"), whole(row, "entries"), texts(row, "nearest"), null);
    }

    private Map<String, Reading> readings(String metrics) {
        return json.readValue(metrics, READINGS);
    }
}
