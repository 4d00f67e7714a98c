package dev.loomboard.run;

import static dev.loomboard.web.Rows.flag;
import static dev.loomboard.web.Rows.instantOrNull;
import static dev.loomboard.web.Rows.json;
import static dev.loomboard.web.Rows.number;
import static dev.loomboard.web.Rows.text;
import static dev.loomboard.web.Rows.textOrNull;
import static dev.loomboard.web.Rows.whole;

import dev.loomboard.catalog.Limits;
import dev.loomboard.matrix.Cell;
import dev.loomboard.matrix.DatabaseDelay;
import dev.loomboard.matrix.Expansion;
import dev.loomboard.matrix.Load;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.matrix.TrialKind;
import dev.loomboard.stats.Methodology;
import dev.loomboard.web.ExternalId;
import dev.loomboard.web.MachineId;
import dev.loomboard.web.WorkspaceId;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The queue. Whoever changes a run holds its row's lock; all methods but reads are called within a transaction. */
@Repository
class RunStore {

    private static final TypeReference<Map<String, Object>> PARAMS = new TypeReference<>() {};

    private static final String QUEUED = """
            select r.run_id, r.external_id, r.workspace_id, r.title, r.spec, r.state, r.fencing, r.attempts,
                   r.lease_expires_at, r.cancel_requested_at, r.failure, m.revoked_at is not null as machine_revoked
              from run r join machine m using (machine_id)
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    RunStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** A run under its row's lock. */
    record Locked(
            long key,
            String id,
            WorkspaceId workspace,
            String title,
            MatrixSpec spec,
            Lease lease,
            boolean machineRevoked) {}

    /** A cell as SQL unpacks it. */
    private record CellRow(
            String external_id,
            int ordinal,
            String server,
            String variant,
            String framework,
            String concurrency_model,
            String workload,
            int workload_version,
            Map<String, Object> params,
            double declared_delay_ms,
            Load load,
            String scenario_key,
            String collector,
            Limits limits,
            @Nullable DatabaseDelay database_delay,
            List<String> jvm_options,
            long jdk_build_id) {}

    private record TrialRow(String external_id, long cell_id, String kind, int ordinal, int position) {}

    /** Gives the internal key. */
    Mono<Long> add(String id, NewRun run, Expansion expansion) {
        return database.sql("""
                        insert into run (external_id, workspace_id, machine_id, matrix_id, schedule_id, title, visibility,
                                         spec, notices, methodology, created_by, follow_up, planned_trials,
                                         planned_seconds)
                        values (:id, :workspace, :machine, :matrix, :schedule, :title, :visibility, :spec, :notices,
                                :methodology, :by, :follow, :trials, :seconds)
                        returning run_id
                        """)
                .bind("id", id)
                .bind("workspace", run.machine().workspaceKey().value())
                .bind("machine", run.machine().key().value())
                .bind("matrix", run.matrix().key())
                .bind("schedule", Parameter.fromOrEmpty(run.schedule(), Long.class))
                .bind("title", run.matrix().title())
                .bind("visibility", run.visibility())
                .bind("spec", Json.of(json.writeValueAsString(run.matrix().spec())))
                .bind("notices", Json.of(json.writeValueAsString(expansion.notices())))
                .bind("methodology", Methodology.VERSION)
                .bind("by", run.createdBy())
                .bind("follow", run.followUp() != null)
                .bind("trials", expansion.trials().size())
                .bind("seconds", expansion.longestSeconds(run.matrix().spec()))
                .map(row -> number(row, "run_id"))
                .one()
                .flatMap(key -> addCells(key, run.machine().workspaceKey(), expansion.cells())
                        .thenReturn(key));
    }

    private Mono<Void> addCells(long run, WorkspaceId workspace, List<Cell> cells) {
        return database.sql("""
                        insert into cell (external_id, workspace_id, run_id, ordinal, server, variant, framework, concurrency_model,
                                          workload, workload_version, params, declared_delay_ms, load, scenario_key,
                                          collector, limits, database_delay, jvm_options, jdk_build_id)
                        select c.external_id, :workspace, :run, c.ordinal, c.server, c.variant, c.framework, c.concurrency_model,
                               c.workload, c.workload_version, c.params, c.declared_delay_ms, c.load, c.scenario_key,
                               c.collector, c.limits, c.database_delay, c.jvm_options, c.jdk_build_id
                          from jsonb_to_recordset(:cells) as c(
                               external_id text, ordinal int, server text, variant text, framework text, concurrency_model text,
                               workload text, workload_version int, params jsonb, declared_delay_ms double precision,
                               load jsonb, scenario_key text, collector text, limits jsonb, database_delay jsonb, jvm_options text[], jdk_build_id bigint)
                        """)
                .bind("workspace", workspace.value())
                .bind("run", run)
                .bind(
                        "cells",
                        Json.of(json.writeValueAsString(
                                cells.stream().map(RunStore::cellRow).toList())))
                .then();
    }

    /** Lets claims of one machine through one at a time: a machine never has two runs. False: no such machine. */
    Mono<Boolean> lockMachine(MachineId machine) {
        return database.sql("select machine_id from machine where machine_id = :machine for no key update")
                .bind("machine", machine.value())
                .map(row -> true)
                .one()
                .defaultIfEmpty(false);
    }

    /** The run that the machine holds, else the longest waiting one; by run_queue_ix. */
    Mono<Locked> next(MachineId machine) {
        return database.sql(QUEUED + """
                         where r.machine_id = :machine and r.state in ('queued', 'leased', 'running', 'disconnected')
                         order by r.state = 'queued', r.created_at, r.run_id
                         limit 1
                         for update of r skip locked
                        """)
                .bind("machine", machine.value())
                .map(this::locked)
                .one();
    }

    /** Waits for the row's lock. */
    Mono<Locked> ofMachine(MachineId machine, String id) {
        return database.sql(QUEUED + " where r.external_id = :id and r.machine_id = :machine for update of r")
                .bind("id", id)
                .bind("machine", machine.value())
                .map(this::locked)
                .one();
    }

    Mono<Locked> byId(String id) {
        return database.sql(QUEUED + " where r.external_id = :id for update of r")
                .bind("id", id)
                .map(this::locked)
                .one();
    }

    /** Those whose lease is over, and those that wait for a machine whose key was revoked. */
    Flux<Locked> silent(Instant now) {
        return database.sql(QUEUED + """
                         where (r.state in ('leased', 'running', 'disconnected') and r.lease_expires_at <= :now)
                            or (r.state in ('queued', 'disconnected') and m.revoked_at is not null)
                         order by r.run_id limit 200
                         for update of r skip locked
                        """)
                .bind("now", utc(now))
                .map(this::locked)
                .all();
    }

    Mono<Void> save(long run, Lease lease, Instant now) {
        return database.sql("""
                        update run
                           set state = :state, fencing = :fencing, attempts = :attempts, lease_expires_at = :expires,
                               cancel_requested_at = :cancel, failure = :failure,
                               started_at = case when :fencing > 0 then coalesce(started_at, :now) else started_at end,
                               finished_at = case when :over then :now end
                         where run_id = :run
                        """)
                .bind("state", lease.state().wire())
                .bind("fencing", lease.fencing())
                .bind("attempts", lease.attempts())
                .bind("expires", Parameter.fromOrEmpty(utcOrNull(lease.expires()), OffsetDateTime.class))
                .bind("cancel", Parameter.fromOrEmpty(utcOrNull(lease.cancelRequested()), OffsetDateTime.class))
                .bind("failure", Parameter.fromOrEmpty(lease.failure(), String.class))
                .bind("now", utc(now))
                .bind("over", lease.state().isOver())
                .bind("run", run)
                .then();
    }

    /** Progress of the run, and the phase of the trial that is under way; a trial that stays as it is is not written. */
    Mono<Void> saveProgress(long run, Heartbeat beat) {
        return database.sql("update run set progress = :progress where run_id = :run")
                .bind("progress", Json.of(json.writeValueAsString(beat.progress())))
                .bind("run", run)
                .then()
                .then(savePhase(run, beat));
    }

    /** A phase that uploads have told of already is no news: they may have told of the next since it was said. */
    private Mono<Void> savePhase(long run, Heartbeat beat) {
        String trial = beat.trialId();
        String phase = beat.phase();
        if (trial == null || phase == null) {
            return Mono.empty();
        }
        return database.sql("""
                        update trial t set state = 'running', phase = :phase
                         where t.external_id = :trial and t.run_id = :run and t.fencing = :fencing
                           and t.state in ('planned', 'running') and (t.state = 'planned' or t.phase is distinct from :phase)
                           and not exists (select from trial_phase p where p.trial_id = t.trial_id and p.phase = :phase)
                        """)
                .bind("phase", phase)
                .bind("trial", trial)
                .bind("run", run)
                .bind("fencing", beat.fencing())
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
                               c.load, c.scenario_key, c.collector, c.limits, c.database_delay, j.agent_slug
                          from cell c join run r using (run_id)
                          join machine_jdk j on j.machine_id = r.machine_id and j.jdk_build_id = c.jdk_build_id
                         where c.run_id = :run order by c.ordinal
                        """).bind("run", run).map(this::cell).all();
    }

    /** Trials that need no repeating: ended, and by data that counts. */
    Flux<Plan.EndedTrial> ended(long run) {
        return database.sql("""
                        select cell_id, kind, ordinal from trial
                         where run_id = :run and state in ('done', 'failed') and not late
                        """)
                .bind("run", run)
                .map(row -> new Plan.EndedTrial(
                        number(row, "cell_id"), TrialKind.of(text(row, "kind")), whole(row, "ordinal")))
                .all();
    }

    Mono<Void> addTrials(Locked run, long fencing, List<Plan.Planned> planned) {
        List<TrialRow> rows = planned.stream()
                .map(p -> new TrialRow(
                        p.trial().trialId(),
                        p.cell(),
                        p.trial().kind().wire(),
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

    private Locked locked(Readable row) {
        Lease lease = new Lease(
                RunState.of(text(row, "state")),
                number(row, "fencing"),
                whole(row, "attempts"),
                instantOrNull(row, "lease_expires_at"),
                instantOrNull(row, "cancel_requested_at"),
                textOrNull(row, "failure"));
        return new Locked(
                number(row, "run_id"),
                text(row, "external_id"),
                new WorkspaceId(number(row, "workspace_id")),
                text(row, "title"),
                json.readValue(json(row, "spec"), MatrixSpec.class),
                lease,
                flag(row, "machine_revoked"));
    }

    private StoredCell cell(Readable row) {
        return new StoredCell(
                number(row, "cell_id"),
                text(row, "external_id"),
                text(row, "server"),
                text(row, "variant"),
                text(row, "workload"),
                whole(row, "workload_version"),
                json.readValue(json(row, "params"), PARAMS),
                json.readValue(json(row, "load"), Load.class),
                text(row, "scenario_key"),
                text(row, "collector"),
                json.readValue(json(row, "limits"), Limits.class),
                delay(row),
                text(row, "agent_slug"));
    }

    private @Nullable DatabaseDelay delay(Readable row) {
        Json delay = row.get("database_delay", Json.class);
        return delay == null ? null : json.readValue(delay.asString(), DatabaseDelay.class);
    }

    private static CellRow cellRow(Cell cell) {
        return new CellRow(
                ExternalId.random("cel").value(),
                cell.ordinal(),
                cell.server(),
                cell.variant(),
                cell.framework(),
                cell.concurrencyModel(),
                cell.workload(),
                cell.workloadVersion(),
                cell.params(),
                cell.declaredDelayMs(),
                cell.load(),
                cell.scenarioKey(),
                cell.collector(),
                cell.limits(),
                cell.delay(),
                cell.jvmOptions(),
                cell.jdk().key());
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable OffsetDateTime utcOrNull(@Nullable Instant instant) {
        return instant == null ? null : utc(instant);
    }
}
