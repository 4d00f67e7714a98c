package dev.loomboard.jdkpages;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.AdmittedSql;
import dev.loomboard.cell.CellSql;
import dev.loomboard.cell.JdkSql;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.Standing;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.retracted.RetractedSql;
import io.r2dbc.spi.Readable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Builds as a caller may see them: those that some machine or result of his own, or a public one, has. */
@Repository
class JdkPageStore {

    private static final TypeReference<List<JdkView.Machine>> MACHINES = new TypeReference<>() {};

    private static final TypeReference<List<JdkView.Conflict>> CONFLICTS = new TypeReference<>() {};

    private static final TypeReference<Map<String, String>> HISTORIES = new TypeReference<>() {};

    private final DatabaseClient database;
    private final JsonMapper json;

    JdkPageStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** Newest first. Plan: the builds (hundreds), and per build its machines and entries by their keys. */
    Mono<List<JdkView>> builds(Caller caller) {
        return VisibleSql.query(database, caller, """
                        select * from (
                          select """ + JdkSql.COLUMNS + """
                               , j.build_order, j.lineage::text as lineage, j.first_seen_at,
                                 (select coalesce(json_agg(json_build_object('workspace', w.slug, 'slug', m.slug, 'name', m.name,
                                         'present', mj.present) order by m.name), '[]')
                                    from machine_jdk mj join machine m using (machine_id) join workspace w using (workspace_id)
                                   where mj.jdk_build_id = j.jdk_build_id
                                     and visible(m))::text as machines,
                                 (select coalesce(json_agg(json_build_object('workspace', w.slug, 'slug', m.slug, 'name', m.name,
                                         'claims', k.claims, 'reportedAt', k.reported_at) order by m.name), '[]')
                                    from jdk_build_conflict k join machine m using (machine_id) join workspace w using (workspace_id)
                                   where k.jdk_build_id = j.jdk_build_id
                                     and visible(m))::text as conflicts,
                                 (select count(*)::int from leaderboard_entry e
                                   where e.jdk_build_id = j.jdk_build_id
                                     and visible(e)) as results
                            from jdk_build j where j.feature > 0) b
                         where b.machines <> '[]' or b.results > 0
                         order by b.build_order desc, b.jdk_slug limit 1000
                        """)
                .map(this::view)
                .all()
                .collectList();
    }

    /** The newest cell of each scenario, server and variant on a build. */
    Mono<List<JdkView.Result>> results(Caller caller, String slug) {
        return VisibleSql.query(
                        database,
                        caller,
                        """
                        select e.scenario_key, """ + CellSql.server("e") + """
                             , e.collector, e.jvm_options, e.limits,
                               r.external_id as run, ret.retracted, """ + AdmittedSql.admitted("e") + """
                               as admitted, e.standing, nullif(array_to_string(e.reasons, '; '), '') as reason, e.measured_at,
                               (select coalesce(json_object_agg(k.metric, e.metrics->k.metric->>'series'), '{}')
                                  from unnest(array['response_p50_ms', 'response_p99_ms', 'cpu_us_per_request', 'rss_mib']) k (metric)
                                 where e.metrics->k.metric->>'series' is not null)::text as histories,
                               (e.metrics->'response_p50_ms'->>'mean')::float8 as p50,
                               (e.metrics->'response_p99_ms'->>'mean')::float8 as p99,
                               coalesce((e.metrics->'response_p99_ms'->>'eligible')::boolean, false) as p99_eligible,
                               (e.metrics->'cpu_us_per_request'->>'mean')::float8 as cpu,
                               (e.metrics->'rss_mib'->>'mean')::float8 as rss
                          from leaderboard_entry e join jdk_build j using (jdk_build_id) join run r on r.run_id = e.run_id
                        """
                                + RetractedSql.join(new RetractedSql.Result(
                                        "e.server",
                                        "e.server_digest",
                                        "e.workload",
                                        "e.scenario_key",
                                        "e.machine_id",
                                        "e.run_id"))
                                + """
                         where j.slug = :slug and visible(e)
                         order by e.scenario_key, e.server, e.variant, e.jvm_options, e.limits limit 1000
                        """)
                .bind("slug", slug)
                .map(this::result)
                .all()
                .collectList();
    }

    private JdkView.Result result(Readable row) {
        Retracted retracted = RetractedSql.read(row);
        return new JdkView.Result(
                text(row, "scenario_key"),
                CellSql.server(row),
                text(row, "collector"),
                texts(row, "jvm_options"),
                Limits.of(json(row, "limits")),
                text(row, "run"),
                json.readValue(text(row, "histories"), HISTORIES),
                new JdkView.Figures(
                        row.get("p50", Double.class),
                        row.get("p99", Double.class),
                        flag(row, "p99_eligible"),
                        row.get("cpu", Double.class),
                        row.get("rss", Double.class)),
                standing(row, retracted),
                retracted != null
                        ? retracted.words()
                        : flag(row, "admitted") ? textOrNull(row, "reason") : AdmittedSql.NOT_VERIFIED,
                instant(row, "measured_at"));
    }

    private static Standing standing(Readable row, @Nullable Retracted retracted) {
        if (retracted != null) {
            return Standing.RETRACTED;
        }
        return flag(row, "admitted") ? WireName.of(Standing.class, text(row, "standing")) : Standing.UNVERIFIED;
    }

    private JdkView view(Readable row) {
        return new JdkView(
                JdkSql.read(row),
                lineage(json.readTree(text(row, "lineage"))),
                instant(row, "first_seen_at"),
                json.readValue(text(row, "machines"), MACHINES),
                json.readValue(text(row, "conflicts"), CONFLICTS),
                whole(row, "results"));
    }

    /** Its plain words; the release file and the long version are in the JSON of the machine. */
    private static Map<String, String> lineage(JsonNode lineage) {
        Map<String, String> words = new LinkedHashMap<>();
        for (String field : List.of("vendor", "compiler", "libc", "debugLevel", "internal")) {
            if (lineage.path(field).isString()) {
                words.put(field, lineage.path(field).asString());
            }
        }
        return words;
    }
}
