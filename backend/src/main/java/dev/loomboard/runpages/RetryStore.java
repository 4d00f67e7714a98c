package dev.loomboard.runpages;

import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.Limits;
import dev.loomboard.expansion.TrialPlan;
import dev.loomboard.matrix.MatrixSpec;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** What a retry of a run is made of. */
@Repository
class RetryStore {

    private final DatabaseClient database;
    private final JsonMapper json;

    RetryStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** @param matrix its internal key */
    record Run(long matrix, MatrixSpec spec) {}

    /** @param build as a selector names it; empty: the cell has no JVM */
    record Measured(String group, String build) {}

    /** What is stored of it may be of an earlier version that is no longer understood: {@code JacksonException}. */
    Mono<Run> run(String id) {
        return database.sql("select matrix_id, spec from run where external_id = :run")
                .bind("run", id)
                .map(row -> new Run(number(row, "matrix_id"), json.readValue(json(row, "spec"), MatrixSpec.class)))
                .one();
    }

    /** The groups of these cells, with every build that they were measured on in their run. */
    Flux<Measured> groups(List<String> cells) {
        return database.sql("""
                        select distinct o.server, o.variant, o.scenario_key, o.collector, o.limits,
                               case when o.jdk_build_id = 0 then '' else coalesce(j.agent_slug, b.slug) end as build
                          from cell c join run r using (run_id)
                          join cell o on o.run_id = c.run_id and (o.server, o.variant, o.scenario_key, o.collector, o.limits)
                               = (c.server, c.variant, c.scenario_key, c.collector, c.limits)
                          join jdk_build b on b.jdk_build_id = o.jdk_build_id
                          left join machine_jdk j on j.machine_id = r.machine_id and j.jdk_build_id = o.jdk_build_id
                         where c.external_id = any(:cells)
                        """)
                .bind("cells", cells.toArray(String[]::new))
                .map(row -> new Measured(
                        TrialPlan.group(
                                text(row, "server"),
                                text(row, "variant"),
                                text(row, "scenario_key"),
                                text(row, "collector"),
                                Limits.of(json(row, "limits"))),
                        text(row, "build")))
                .all();
    }
}
