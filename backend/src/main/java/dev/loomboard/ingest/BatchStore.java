package dev.loomboard.ingest;

import static dev.loomboard.ingest.UploadSql.base64;
import static dev.loomboard.ingest.UploadSql.column;
import static dev.loomboard.ingest.UploadSql.counts;
import static dev.loomboard.ingest.UploadSql.times;
import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.Batch;
import dev.loomboard.measurement.SentBy;
import dev.loomboard.measurement.Step;
import dev.loomboard.measurement.Ticks;
import dev.loomboard.measurement.Window;
import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Batches and what is in them, each kind by one statement whatever its number. */
@Repository
class BatchStore {

    private final DatabaseClient database;

    BatchStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * Locks the run of a machine's trial, as a new lease does before it touches any trial: so the two never meet.
     * Empty: the machine has no such trial. By the unique index on trial.external_id.
     */
    Mono<Admission.Run> lockRun(MachineId machine, String trialId) {
        return database.sql("""
                        select r.run_id, r.fencing, r.state
                          from trial t join run r using (run_id)
                         where t.external_id = :trial and r.machine_id = :machine
                         for no key update of r
                        """)
                .bind("trial", trialId)
                .bind("machine", machine.value())
                .map(row -> new Admission.Run(
                        number(row, "run_id"), number(row, "fencing"), WireName.of(RunState.class, text(row, "state"))))
                .one();
    }

    /** A statement of its own, after the lock: only so does it see what others stored before. */
    Mono<Admission.Trial> trial(String trialId, int seq) {
        return database.sql("""
                        select t.trial_id, t.workspace_id, t.fencing, t.state = 'planned' as planned, t.samples_removed_at is not null as samples_removed, (t.end_facts ->> 'batches')::int as expected,
                               (c.load ->> 'connections')::int as connections,
                               c.jdk_build_id <> 0 as jdk, b.*,
                               (select s.sha256 from batch s where s.trial_id = t.trial_id and s.seq = :seq) as sha256
                          from trial t
                          join cell c using (cell_id)
                         cross join lateral (select count(*)::int as stored, coalesce(max(seq), -1) as highest,
                                                    coalesce(sum(ticks), 0) as ticks, coalesce(sum(windows), 0) as windows,
                                                    coalesce(sum(steps), 0) as steps, coalesce(sum(phases), 0) as phases,
                                                    coalesce(sum(facts), 0) as facts, coalesce(sum(bytes), 0) as bytes
                                               from batch where batch.trial_id = t.trial_id) b
                         where t.external_id = :trial
                        """)
                .bind("trial", trialId)
                .bind("seq", seq)
                .map(BatchStore::trial)
                .one();
    }

    /**
     * The batch, its samples and its seconds of load, in one statement: most batches have nothing else, and a fleet sends many. All
     * samples come in one array, one metric after the other; PostgreSQL cuts each metric's own out of it.
     *
     * @return how many seconds were added: fewer than given when another batch has the same second
     */
    Mono<Long> add(long trial, BatchReader.Sound sound, boolean late) {
        List<Window> windows = sound.batch().windows();
        List<Window.Quantiles> quantiles = sound.quantiles();
        Ticks ticks = sound.batch().ticks();
        List<String> metrics = new ArrayList<>();
        List<@Nullable Double> values = new ArrayList<>();
        if (ticks != null && !ticks.atNs().isEmpty()) {
            ticks.columns().forEach((metric, column) -> {
                metrics.add(metric);
                values.addAll(column);
            });
        }
        return times(database.sql("""
                        with added as (
                        insert into batch (trial_id, seq, fencing, sha256, bytes, late, ticks, windows, steps, phases, facts,
                                           sample_bytes, kept_bytes)
                        values (:trial, :seq, :batchFencing, :sha256, :bytes, :late, :ticks, :windows, :steps, :phases, :facts,
                                :samples, :kept)),
                        sampled as (
                        insert into sample_chunk (trial_id, metric, seq, at_ns, value)
                        select :trial, m.metric, :seq, :tickAt, (:values::float8[])[(m.nth - 1) * :ticks + 1 : m.nth * :ticks]
                          from unnest(:metrics::text[]) with ordinality as m(metric, nth)),
                        loaded as (
                        insert into load_window (trial_id, at_ns, phase, step, intended, sent, completed, failed,
                                                 service, service_failed, response, response_failed, excess, below_delay, lag,
                                                 response_p50_ns, response_p99_ns, service_p50_ns, service_p99_ns)
                        select :trial, w.at_ns, w.phase, w.step, w.intended, w.sent, w.completed, w.failed,
                               decode(w.service, 'base64'), decode(w.service_failed, 'base64'),
                               decode(w.response, 'base64'), decode(w.response_failed, 'base64'),
                               decode(w.excess, 'base64'), w.below_delay, decode(w.lag, 'base64'), w.r50, w.r99, w.s50, w.s99
                          from unnest(:at::bigint[], :phase::text[], :step::int[], :intended::bigint[], :sent::bigint[],
                                      :completed::bigint[], :failed::bigint[], :service::text[], :serviceFailed::text[],
                                      :response::text[], :responseFailed::text[], :excess::text[], :belowDelay::bigint[], :lag::text[],
                                      :r50::bigint[], :r99::bigint[], :s50::bigint[], :s99::bigint[])
                               as w(at_ns, phase, step, intended, sent, completed, failed,
                                    service, service_failed, response, response_failed, excess, below_delay, lag, r50, r99, s50, s99)
                        on conflict (trial_id, at_ns) do nothing
                        returning at_ns)
                        select count(*) as loaded from loaded
                        """), windows, Window::times)
                .bind("trial", trial)
                .bind("seq", sound.batch().seq())
                .bind("batchFencing", sound.batch().fencing())
                .bind("sha256", sound.sha256())
                .bind("bytes", sound.size().bytes())
                .bind("late", late)
                .bind("ticks", sound.size().ticks())
                .bind("windows", sound.size().windows())
                .bind("steps", sound.size().steps())
                .bind("phases", sound.size().phases())
                .bind("facts", sound.size().facts())
                .bind("samples", sound.stored().samples())
                .bind("kept", sound.stored().kept())
                .bind("tickAt", ticks == null ? new Long[0] : ticks.atNs().toArray(Long[]::new))
                .bind("values", values.toArray(Double[]::new))
                .bind("metrics", metrics.toArray(String[]::new))
                .bind("lag", column(windows, w -> base64(w.lag()), String[]::new))
                .bind("at", column(windows, Window::atNs, Long[]::new))
                .bind("phase", column(windows, w -> w.phase().wire(), String[]::new))
                .bind("step", column(windows, Window::step, Integer[]::new))
                .bind("intended", column(windows, Window::intended, Long[]::new))
                .bind("sent", column(windows, Window::sent, Long[]::new))
                .bind("completed", column(windows, Window::completed, Long[]::new))
                .bind("failed", column(windows, Window::failed, Long[]::new))
                .bind("r50", column(quantiles, Window.Quantiles::responseP50, Long[]::new))
                .bind("r99", column(quantiles, Window.Quantiles::responseP99, Long[]::new))
                .bind("s50", column(quantiles, Window.Quantiles::serviceP50, Long[]::new))
                .bind("s99", column(quantiles, Window.Quantiles::serviceP99, Long[]::new))
                .map(row -> number(row, "loaded"))
                .one();
    }

    Mono<Void> addPhases(long trial, List<Batch.PhaseEntry> phases) {
        return database.sql("""
                        insert into trial_phase (trial_id, at_ns, phase)
                        select :trial, p.at_ns, p.phase from unnest(:at::bigint[], :phase::text[]) as p(at_ns, phase)
                        on conflict do nothing
                        """)
                .bind("trial", trial)
                .bind("at", column(phases, Batch.PhaseEntry::atNs, Long[]::new))
                .bind("phase", column(phases, p -> p.phase().wire(), String[]::new))
                .then();
    }

    /** How many were added. Percentiles are computed when the trial has ended. */
    Mono<Long> addSteps(Admission.Trial trial, List<Step> steps, Function<Object, String> json) {
        return times(counts(database.sql("""
                        insert into step (workspace_id, trial_id, ordinal, rate, connections, start_ns, end_ns, offered, sent, completed,
                                          failed, unfinished, validity, reason, cause, health, outcomes, percentiles,
                                          service, service_failed, response, response_failed, excess, below_delay, lag, transport, http)
                        select :workspace, :trial, s.ordinal, s.rate, s.connections, s.start_ns, s.end_ns, s.offered, s.sent, s.completed,
                               s.failed, s.unfinished, s.health ->> 'validity', s.health ->> 'reason',
                               s.health ->> 'cause', s.health, s.outcomes, '{}',
                               decode(s.service, 'base64'), decode(s.service_failed, 'base64'),
                               decode(s.response, 'base64'), decode(s.response_failed, 'base64'),
                               decode(s.excess, 'base64'), s.below_delay, decode(s.lag, 'base64'), s.transport, s.http
                          from unnest(:ordinal::int[], :rate::float8[], :connections::int[], :start::bigint[], :end::bigint[],
                                      :offered::bigint[], :sent::bigint[], :completed::bigint[], :failed::bigint[],
                                      :unfinished::bigint[], :health::text[]::jsonb[], :outcomes::text[]::jsonb[],
                                      :service::text[], :serviceFailed::text[], :response::text[],
                                      :responseFailed::text[], :excess::text[], :belowDelay::bigint[], :lag::text[], :transport::text[], :http::text[])
                               as s(ordinal, rate, connections, start_ns, end_ns, offered, sent, completed, failed, unfinished, health,
                                    outcomes, service, service_failed, response, response_failed, excess, below_delay, lag, transport, http)
                        on conflict (trial_id, ordinal) do nothing
                        """), steps, Step::counts), steps, Step::times)
                .bind("lag", column(steps, s -> base64(s.lag()), String[]::new))
                .bind("workspace", trial.workspace())
                .bind("trial", trial.key())
                .bind("ordinal", column(steps, Step::ordinal, Integer[]::new))
                .bind("rate", column(steps, Step::rate, Double[]::new))
                .bind("connections", column(steps, Step::connections, Integer[]::new))
                .bind(
                        "transport",
                        column(steps, s -> sentBy(s, by -> by.transport().wire()), String[]::new))
                .bind("http", column(steps, s -> sentBy(s, by -> by.http().wire()), String[]::new))
                .bind("start", column(steps, Step::startNs, Long[]::new))
                .bind("end", column(steps, Step::endNs, Long[]::new))
                .bind("health", column(steps, s -> json.apply(s.health()), String[]::new))
                .bind("outcomes", column(steps, s -> json.apply(s.outcomes()), String[]::new))
                .fetch()
                .rowsUpdated();
    }

    private static @Nullable String sentBy(Step step, Function<SentBy, String> of) {
        return step.sentBy() == null ? null : of.apply(step.sentBy());
    }

    private static Admission.Trial trial(Readable row) {
        return new Admission.Trial(
                number(row, "trial_id"),
                number(row, "workspace_id"),
                number(row, "fencing"),
                flag(row, "planned"),
                row.get("expected", Integer.class),
                flag(row, "jdk"),
                row.get("connections", Integer.class),
                whole(row, "stored"),
                whole(row, "highest"),
                new TrialSize(
                        number(row, "ticks"),
                        number(row, "windows"),
                        number(row, "steps"),
                        number(row, "phases"),
                        number(row, "facts"),
                        number(row, "bytes")),
                flag(row, "samples_removed"),
                row.get("sha256", byte[].class));
    }
}
