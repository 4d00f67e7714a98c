package dev.loomboard.run;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.RunPriority;
import dev.loomboard.cell.RunState;
import dev.loomboard.expansion.Expansion;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.stats.Methodology;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The queue. A transaction that changes a run holds its row's lock; all methods but reads are called within a transaction. */
@Repository
class RunStore {

    private static final String QUEUED = """
            select r.run_id, r.external_id, r.workspace_id, r.created_by, r.title, r.spec, r.order_seed, r.state, r.fencing, r.attempts,
                   r.lease_expires_at, r.cancel_requested_at, r.failure, m.revoked_at is not null as machine_revoked
              from run r join machine m using (machine_id)
            """;

    private static final String SILENT = """
            ((r.state in ('leased', 'running', 'disconnected') and r.lease_expires_at <= :now)
              or (r.state in ('queued', 'disconnected') and m.revoked_at is not null))
            """;

    private static final String OF_LEASE = """
            state = :state, fencing = :fencing, attempts = :attempts, lease_expires_at = :expires,
            cancel_requested_at = :cancel, failure = case when :state = 'cancelled' then coalesce(stop_reason, :failure) else :failure end,
            started_at = case when :fencing > 0 then coalesce(started_at, :now) else started_at end,
            finished_at = case when :over then :now end
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    RunStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * A run under its row's lock.
     *
     * @param storedSpec null: what is stored cannot be read
     * @param orderSeed what the order of its trials is drawn from; null: it ended before orders were drawn
     */
    record Locked(
            long key,
            String id,
            WorkspaceId workspace,
            String createdBy,
            String title,
            @Nullable MatrixSpec storedSpec,
            @Nullable Long orderSeed,
            Lease lease,
            boolean machineRevoked) {

        MatrixSpec spec() {
            if (storedSpec == null) {
                throw new IllegalStateException("the stored matrix of " + id + " cannot be read");
            }
            return storedSpec;
        }
    }

    /**
     * Gives the internal key.
     *
     * @param reckoned seconds that its trials are estimated to take
     */
    Mono<Long> add(String id, NewRun run, Expansion expansion, double reckoned) {
        return database.sql("""
                        insert into run (external_id, workspace_id, machine_id, matrix_id, schedule_id, title, visibility, hidden,
                                         spec, notices, methodology, created_by, follow_up, planned_trials,
                                         planned_seconds, order_seed, control_build_id, priority,
                                         reckoned_seconds)
                        values (:id, :workspace, :machine, :matrix, :schedule, :title, :visibility,
                                (select m.hidden and coalesce(x.stated_visibility, x.visibility) = 'public'
                                   from machine m, matrix x where m.machine_id = :machine and x.matrix_id = :matrix),
                                :spec, :notices,
                                :methodology, :by, :follow, :trials, :seconds, :seed, :control, :priority,
                                nullif(:reckoned, 0))
                        returning run_id
                        """)
                .bind("id", id)
                .bind("workspace", run.machine().workspaceKey().value())
                .bind("machine", run.machine().key().value())
                .bind("matrix", run.matrix().key())
                .bind("schedule", Parameter.fromOrEmpty(run.schedule(), Long.class))
                .bind("title", run.matrix().title())
                .bind("visibility", run.visibility().wire())
                .bind("spec", Json.of(json.writeValueAsString(run.matrix().spec())))
                .bind("notices", Json.of(json.writeValueAsString(expansion.notices())))
                .bind("methodology", Methodology.VERSION)
                .bind("by", run.createdBy())
                .bind("follow", run.followUp())
                .bind("trials", expansion.trials().size())
                .bind("seconds", expansion.longestSeconds(run.matrix().spec()))
                .bind("seed", expansion.seed())
                .bind("priority", run.priority().stored())
                .bind("reckoned", reckoned)
                .bind("control", Parameter.fromOrEmpty(control(run, expansion), Long.class))
                .map(row -> number(row, "run_id"))
                .one();
    }

    /** The one that is measured: no server may run on it. */
    private static @Nullable Long control(NewRun run, Expansion expansion) {
        Long control = run.control();
        return control != null && expansion.measures(control) ? control : null;
    }

    /** Lets claims of one machine through one at a time: a machine never has two runs. False: no such machine. */
    Mono<Boolean> lockMachine(MachineId machine) {
        return database.sql("select machine_id from machine where machine_id = :machine for no key update")
                .bind("machine", machine.value())
                .map(row -> true)
                .one()
                .defaultIfEmpty(false);
    }

    /**
     * The run that the machine holds, else, unless it drains, of the highest priority the longest waiting one; by run_queue_ix. While
     * somebody has that one, as an upload has the run that is held, there is none: the next in the queue would be the machine's second.
     */
    Mono<Locked> next(MachineId machine) {
        return database.sql(QUEUED + """
                         where r.state in ('queued', 'leased', 'running', 'disconnected') and r.run_id =
                               (select n.run_id from run n join machine o using (machine_id)
                                 where n.machine_id = :machine and n.state in ('queued', 'leased', 'running', 'disconnected')
                                   and (n.state <> 'queued' or o.draining_since is null)
                                 order by n.state = 'queued', n.priority desc, n.created_at, n.run_id
                                 limit 1)
                         for update of r skip locked
                        """)
                .bind("machine", machine.value())
                .map(this::locked)
                .one();
    }

    /** The machines for which one of these runs, given by their external ids, is queued; by run_external_id_uq. Without a lock. */
    Flux<Long> queuedAmong(Collection<String> ids) {
        return ids.isEmpty()
                ? Flux.empty()
                : database.sql("select distinct machine_id from run where external_id = any(:ids) and state = 'queued'")
                        .bind("ids", ids.toArray(String[]::new))
                        .map(row -> number(row, "machine_id"))
                        .all();
    }

    /** Those of the machines that have a run before them, or hold one; by run_queue_ix. Without a lock. */
    Flux<Long> busyAmong(Collection<Long> machines) {
        return machines.isEmpty()
                ? Flux.empty()
                : database.sql("""
                                select distinct machine_id from run
                                 where machine_id = any(:machines) and state in ('queued', 'leased', 'running', 'disconnected')
                                """)
                        .bind("machines", machines.toArray(Long[]::new))
                        .map(row -> number(row, "machine_id"))
                        .all();
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

    /** Keys of those whose lease is over, and of those that wait for a machine whose key was revoked. */
    Flux<Long> silent(Instant now) {
        return database.sql("select r.run_id from run r join machine m using (machine_id) where " + SILENT
                        + " order by r.run_id limit 200")
                .bind("now", utc(now))
                .map(row -> number(row, "run_id"))
                .all();
    }

    /** One of them, if it still is, and nobody else is at it. */
    Mono<Locked> silent(long run, Instant now) {
        return database.sql(QUEUED + " where r.run_id = :run and " + SILENT + " for update of r skip locked")
                .bind("run", run)
                .bind("now", utc(now))
                .map(this::locked)
                .one();
    }

    Mono<Void> save(long run, Lease lease, Instant now) {
        return with(lease, now, database.sql("update run set " + OF_LEASE + " where run_id = :run"))
                .bind("run", run)
                .then();
    }

    /**
     * Hears the usual heartbeat in one statement, without a transaction: machines send more of them than of anything else. It is usual
     * where {@link Lease#heartbeat} would only move the end of a newest lease whose run nobody cancelled.
     *
     * @return empty: it is not the usual one, and nothing was written
     */
    Mono<Lease.Beat> beatOn(MachineId machine, String id, Heartbeat beat, Instant now, Instant expires) {
        return beaten(beat, now, database.sql(beating("""
                        state = 'running', lease_expires_at = :expires, started_at = coalesce(started_at, :now)
                        """, """
                        external_id = :id and machine_id = :machine and fencing = :fencing and state in ('leased', 'running')
                          and attempts > 0 and cancel_requested_at is null
                        """)))
                .bind("id", id)
                .bind("machine", machine.value())
                .bind("expires", utc(expires))
                .fetch()
                .rowsUpdated()
                .filter(machines -> machines > 0)
                .map(heard -> new Lease.GoesOn());
    }

    /** What any other heartbeat changes. */
    Mono<Void> beat(Locked run, Lease lease, Heartbeat beat, Instant now) {
        return beaten(beat, now, with(lease, now, database.sql(beating(OF_LEASE, "run_id = :run"))))
                .bind("run", run.key())
                .then();
    }

    /**
     * The trial that is under way gets its phase; one that stays as it is is not written. A phase that uploads have told of already is no
     * news: they may have told of the next since it was said.
     */
    private static String beating(String lease, String which) {
        return "with beaten as (update run set " + lease + ", progress = :progress where " + which + " " + """
                        returning run_id, machine_id),
                        phased as (
                        update trial t set state = 'running', phase = :phase
                         where t.external_id = :trial and t.run_id = (select run_id from beaten) and t.fencing = :fencing
                           and t.state in ('planned', 'running') and (t.state = 'planned' or t.phase is distinct from :phase)
                           and :phase::text is not null
                           and not exists (select from trial_phase p where p.trial_id = t.trial_id and p.phase = :phase))
                        update machine set last_seen_at = :now where machine_id = (select machine_id from beaten)
                        """;
    }

    private GenericExecuteSpec beaten(Heartbeat beat, Instant now, GenericExecuteSpec sql) {
        return sql.bind("fencing", beat.fencing())
                .bind("now", utc(now))
                .bind("progress", Json.of(json.writeValueAsString(beat.progress())))
                .bind("trial", Parameter.fromOrEmpty(beat.trialId(), String.class))
                .bind(
                        "phase",
                        Parameter.fromOrEmpty(
                                beat.phase() == null ? null : beat.phase().wire(), String.class));
    }

    private static GenericExecuteSpec with(Lease lease, Instant now, GenericExecuteSpec sql) {
        return sql.bind("state", lease.state().wire())
                .bind("fencing", lease.fencing())
                .bind("attempts", lease.attempts())
                .bind("expires", Parameter.fromOrEmpty(utcOrNull(lease.expires()), OffsetDateTime.class))
                .bind("cancel", Parameter.fromOrEmpty(utcOrNull(lease.cancelRequested()), OffsetDateTime.class))
                .bind("failure", Parameter.fromOrEmpty(lease.failure(), String.class))
                .bind("now", utc(now))
                .bind("over", lease.state().isOver());
    }

    Mono<Void> saveStop(long run, RunStop stop) {
        return database.sql("update run set stop_kind = :kind, stop_reason = :reason where run_id = :run")
                .bind("kind", stop.kind().wire())
                .bind("reason", stop.reason())
                .bind("run", run)
                .then();
    }

    Mono<Void> savePriority(long run, RunPriority priority) {
        return database.sql("update run set priority = :priority where run_id = :run")
                .bind("priority", priority.stored())
                .bind("run", run)
                .then();
    }

    /** Adds sentences for people. */
    Mono<Void> addNotices(long run, List<String> notices) {
        return database.sql("update run set notices = notices || :notices where run_id = :run")
                .bind("notices", Json.of(json.writeValueAsString(notices)))
                .bind("run", run)
                .then();
    }

    private Locked locked(Readable row) {
        Lease lease = new Lease(
                WireName.of(RunState.class, text(row, "state")),
                number(row, "fencing"),
                whole(row, "attempts"),
                instantOrNull(row, "lease_expires_at"),
                instantOrNull(row, "cancel_requested_at"),
                textOrNull(row, "failure"));
        return new Locked(
                number(row, "run_id"),
                text(row, "external_id"),
                new WorkspaceId(number(row, "workspace_id")),
                text(row, "created_by"),
                text(row, "title"),
                spec(json(row, "spec")),
                row.get("order_seed", Long.class),
                lease,
                flag(row, "machine_revoked"));
    }

    private @Nullable MatrixSpec spec(String stored) {
        try {
            return json.readValue(stored, MatrixSpec.class);
        } catch (JacksonException e) {
            return null; // who needs it says so; a run can be ended without
        }
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable OffsetDateTime utcOrNull(@Nullable Instant instant) {
        return instant == null ? null : utc(instant);
    }
}
