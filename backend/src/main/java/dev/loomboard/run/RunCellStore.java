package dev.loomboard.run;

import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.expansion.Cell;
import dev.loomboard.expansion.PlannedScenario;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.plan.Plan;
import dev.loomboard.plan.StoredCell;
import dev.loomboard.scenario.DatabaseDelay;
import dev.loomboard.scenario.Load;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What a run consists of: its cells, and the trials that its leases planned. Called under the run's lock, as {@link RunStore}. */
@Repository
public class RunCellStore {

    private static final TypeReference<Map<String, Object>> PARAMS = new TypeReference<>() {};

    private final DatabaseClient database;
    private final JsonMapper json;

    RunCellStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** A cell to be added, as SQL unpacks its JSON. */
    private record NewCell(
            String id,
            int ordinal,
            @JsonUnwrapped ServerVariant server,
            @Nullable String framework,
            @JsonUnwrapped NewScenario scenario,
            @JsonUnwrapped CellSettings settings,
            long jdkBuildId) {
        static NewCell of(Cell cell) {
            PlannedScenario scenario = cell.scenario();
            return new NewCell(
                    ExternalId.random("cel").value(),
                    cell.ordinal(),
                    cell.server(),
                    cell.server().framework(),
                    new NewScenario(
                            scenario.workload(),
                            scenario.version(),
                            scenario.params(),
                            cell.declaredDelayMs(),
                            scenario.load(),
                            scenario.key(),
                            scenario.delay()),
                    cell.settings(),
                    cell.jdk().key());
        }
    }

    private record NewScenario(
            String workload,
            int workloadVersion,
            Map<String, Object> params,
            double declaredDelayMs,
            Load load,
            String scenarioKey,
            @Nullable DatabaseDelay delay) {}

    private record TrialRow(String external_id, long cell_id, TrialKind kind, int ordinal, int position) {}

    public Mono<Void> add(long run, WorkspaceId workspace, List<Cell> cells) {
        return database.sql("""
                        insert into cell (external_id, workspace_id, run_id, ordinal, server, variant, framework, concurrency_model,
                                          workload, workload_version, params, declared_delay_ms, load, scenario_key,
                                          collector, limits, database_delay, jvm_options, jdk_build_id)
                        select c.id, :workspace, :run, c.ordinal, c.server, c.variant, c.framework, c."concurrencyModel",
                               c.workload, c."workloadVersion", c.params, c."declaredDelayMs", c.load, c."scenarioKey",
                               c.collector, c.limits, c.delay, c."jvmOptions", c."jdkBuildId"
                          from jsonb_to_recordset(:cells) as c(
                               id text, ordinal int, server text, variant text, framework text, "concurrencyModel" text,
                               workload text, "workloadVersion" int, params jsonb, "declaredDelayMs" double precision,
                               load jsonb, "scenarioKey" text, collector text, limits jsonb, delay jsonb, "jvmOptions" text[],
                               "jdkBuildId" bigint)
                        """)
                .bind("workspace", workspace.value())
                .bind("run", run)
                .bind(
                        "cells",
                        Json.of(json.writeValueAsString(
                                cells.stream().map(NewCell::of).toList())))
                .then();
    }

    /** Ends what has not ended, whatever lease it is of; gives the internal keys of these trials. */
    Mono<List<Long>> abortUnended(long run, String reason) {
        return database.sql("""
                        update trial set state = 'aborted', reason = :reason, finished_at = coalesce(finished_at, now())
                         where run_id = :run and state in ('planned', 'running')
                        returning trial_id
                        """)
                .bind("reason", reason)
                .bind("run", run)
                .map(row -> number(row, "trial_id"))
                .all()
                .collectList();
    }

    Mono<Integer> countUnended(long run, long fencing) {
        return database.sql("""
                        select count(*)::int as unended from trial
                         where run_id = :run and fencing = :fencing and state in ('planned', 'running')
                        """)
                .bind("run", run)
                .bind("fencing", fencing)
                .map(row -> whole(row, "unended"))
                .one();
    }

    Flux<StoredCell> cells(long run) {
        return database.sql("""
                        select c.cell_id, c.external_id, c.server, c.variant, c.workload, c.workload_version, c.params,
                               c.load, c.scenario_key, c.collector, c.limits, c.database_delay, j.agent_slug,
                               coalesce(c.scored, (r.spec #>> '{trials,scored}')::int) as scored
                          from cell c join run r using (run_id)
                          left join machine_jdk j on j.machine_id = r.machine_id and j.jdk_build_id = c.jdk_build_id
                         where c.run_id = :run and (c.jdk_build_id = 0 or j.machine_id is not null) order by c.ordinal
                        """).bind("run", run).map(this::cell).all();
    }

    /** Trials that are not made again: ended, by data that counts, and not of a block whose repeat is asked for and not made. */
    Flux<Plan.EndedTrial> ended(long run) {
        return database.sql("""
                        select t.cell_id, t.kind, t.ordinal from trial t
                         where t.run_id = :run and t.state in ('done', 'failed') and not t.late and not t.cut_off
                           and not exists (select from block_repeat b
                                            where b.run_id = t.run_id and b.ordinal = t.ordinal and t.cell_id = any(b.cells)
                                              and t.kind = 'scored' and t.fencing <= b.fencing)
                        """)
                .bind("run", run)
                .map(row -> new Plan.EndedTrial(
                        number(row, "cell_id"), TrialKind.of(text(row, "kind")), whole(row, "ordinal")))
                .all();
    }

    Mono<Void> addTrials(RunStore.Locked run, long fencing, List<Plan.Planned> planned) {
        List<TrialRow> rows = planned.stream()
                .map(p -> new TrialRow(
                        p.trial().trialId(),
                        p.cell(),
                        p.trial().kind(),
                        p.trial().ordinal(),
                        p.trial().position()))
                .toList();
        return database.sql("""
                        insert into trial (external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing)
                        select t.external_id, :workspace, :run, t.cell_id, t.kind, t.ordinal, t.position, :fencing
                          from jsonb_to_recordset(:trials) as t(
                               external_id text, cell_id bigint, kind text, ordinal int, position int)
                        """)
                .bind("workspace", run.workspace().value())
                .bind("run", run.key())
                .bind("fencing", fencing)
                .bind("trials", Json.of(json.writeValueAsString(rows)))
                .then();
    }

    private StoredCell cell(Readable row) {
        return new StoredCell(
                number(row, "cell_id"),
                text(row, "external_id"),
                text(row, "server"),
                text(row, "variant"),
                new PlannedScenario(
                        text(row, "scenario_key"),
                        text(row, "workload"),
                        whole(row, "workload_version"),
                        json.readValue(json(row, "params"), PARAMS),
                        json.readValue(json(row, "load"), Load.class),
                        delay(row)),
                text(row, "collector"),
                Limits.of(json(row, "limits")),
                whole(row, "scored"),
                textOrNull(row, "agent_slug"));
    }

    private @Nullable DatabaseDelay delay(Readable row) {
        Json delay = row.get("database_delay", Json.class);
        return delay == null ? null : json.readValue(delay.asString(), DatabaseDelay.class);
    }
}
