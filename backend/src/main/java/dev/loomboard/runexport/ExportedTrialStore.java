package dev.loomboard.runexport;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.limits.BackgroundWork;
import dev.loomboard.measurement.Batch;
import dev.loomboard.measurement.Step;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.Ticks;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.TrialStart;
import dev.loomboard.measurement.Window;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes the batches of a trial again of what is stored of them. Which batch a second of load, a step or a phase came with is not kept;
 * how many of each is: they are dealt out in their order, and samples come with their own.
 */
@Repository
class ExportedTrialStore {

    private static final int MOST_WINDOWS = 2000;
    private static final int MOST_STEPS = 500;
    private static final int MOST_PHASES = 5000;

    /** Histograms of a second, a step or an operation in it, as the wire has them. */
    private static final String HISTOGRAMS = """
            'service', translate(encode(service, 'base64'), chr(10), ''),
            'serviceFailed', translate(encode(service_failed, 'base64'), chr(10), ''),
            'response', translate(encode(response, 'base64'), chr(10), ''),
            'responseFailed', translate(encode(response_failed, 'base64'), chr(10), ''),
            'excess', translate(encode(excess, 'base64'), chr(10), ''), 'belowDelay', below_delay
            """;

    /** Plan: trial_phase_pk. */
    private static final String PHASES = """
            select json_build_object('phase', phase, 'atNs', at_ns)::text as sent
              from trial_phase where trial_id = :trial order by at_ns, phase collate "C"
            """;

    /** Plan: load_window_pk. */
    private static final String WINDOWS = """
            select json_build_object('phase', phase, 'step', step, 'atNs', at_ns, 'intended', intended, 'sent', sent,
                     'completed', completed, 'failed', failed, 'lag', translate(encode(lag, 'base64'), chr(10), ''), %s)::text as sent
              from load_window where trial_id = :trial order by at_ns
            """.formatted(HISTOGRAMS);

    /** Plan: step_ordinal_uq, step_operation_pk. */
    private static final String STEPS = """
            select json_build_object('ordinal', s.ordinal, 'rate', s.rate, 'connections', s.connections, 'startNs', s.start_ns,
                     'endNs', s.end_ns, 'offered', s.offered, 'sent', s.sent, 'completed', s.completed, 'failed', s.failed,
                     'unfinished', s.unfinished, 'outcomes', s.outcomes, 'health', s.health,
                     'sentBy', case when s.transport is not null and s.http is not null
                                    then json_build_object('transport', s.transport, 'http', s.http) end,
                     'operations', (select json_agg(json_build_object('name', o.operation, 'weight', o.weight, 'offered', o.offered,
                          'sent', o.sent, 'completed', o.completed, 'failed', o.failed, 'unfinished', o.unfinished,
                          'completedInStep', o.completed_in_step, 'errors', o.errors, %1$s) order by o.operation collate "C")
                        from step_operation o where o.trial_id = s.trial_id and o.step = s.ordinal),
                     'lag', translate(encode(lag, 'base64'), chr(10), ''), %1$s)::text as sent
              from step s where s.trial_id = :trial order by s.ordinal
            """.formatted(HISTOGRAMS);

    private final DatabaseClient database;

    ExportedTrialStore(DatabaseClient database) {
        this.database = database;
    }

    /** A batch, and where what it has begins among all of the trial. */
    record Share(int seq, long windowsFrom, int windows, long stepsFrom, int steps, long phasesFrom, int phases) {}

    /** Of batches that were stored before this was counted, as many as one may have. By batch_pk. */
    Flux<Share> shares(long trial) {
        return database.sql("""
                        with counted as (
                          select seq, coalesce(windows, :windows)::int as windows, coalesce(steps, :steps)::int as steps,
                                 coalesce(phases, :phases)::int as phases
                            from batch where trial_id = :trial)
                        select seq, windows, steps, phases,
                               (sum(windows) over (order by seq) - windows)::bigint as windows_from,
                               (sum(steps) over (order by seq) - steps)::bigint as steps_from,
                               (sum(phases) over (order by seq) - phases)::bigint as phases_from
                          from counted order by seq
                        """)
                .bind("windows", MOST_WINDOWS)
                .bind("steps", MOST_STEPS)
                .bind("phases", MOST_PHASES)
                .bind("trial", trial)
                .map(row -> new Share(
                        whole(row, "seq"),
                        number(row, "windows_from"),
                        whole(row, "windows"),
                        number(row, "steps_from"),
                        whole(row, "steps"),
                        number(row, "phases_from"),
                        whole(row, "phases")))
                .all();
    }

    /** How much of a trial a bundle of that content has. */
    Mono<TrialContent> content(long trial, BundleContent content) {
        return content == BundleContent.ALL
                ? Mono.just(TrialContent.all())
                : sent(STEPS, trial, 0, MOST_STEPS)
                        .publishOn(BackgroundWork.threads())
                        .map(steps -> TrialContent.compact(read(steps, Step.class)));
    }

    /**
     * @param id by which the batch names its trial
     * @param content how much of it
     */
    Mono<Batch> batch(long trial, String id, long fencing, Share share, TrialContent content) {
        return Mono.zip(
                        facts(trial, share.seq()),
                        sent(PHASES, trial, share.phasesFrom(), share.phases()),
                        ticks(trial, share.seq(), content),
                        sent(WINDOWS, trial, share.windowsFrom(), share.windows()),
                        sent(STEPS, trial, share.stepsFrom(), share.steps()))
                // Each histogram is read through: not on a thread that serves connections.
                .publishOn(BackgroundWork.threads())
                .map(parts -> new Batch(
                        Batch.SCHEMA,
                        id,
                        fencing,
                        share.seq(),
                        parts.getT1().start(),
                        read(parts.getT2(), Batch.PhaseEntry.class),
                        parts.getT3().orElse(null),
                        content.seconds(read(parts.getT4(), Window.class)),
                        read(parts.getT5(), Step.class),
                        parts.getT1().end()));
    }

    private static <T> List<T> read(List<String> sent, Class<T> type) {
        return sent.stream().map(json -> StoredJson.read(json, type)).toList();
    }

    private Mono<List<String>> sent(String sql, long trial, long from, int most) {
        return database.sql(sql + " offset :from limit :most")
                .bind("trial", trial)
                .bind("from", from)
                .bind("most", most)
                .map(row -> text(row, "sent"))
                .all()
                .collectList();
    }

    private record Facts(
            @Nullable TrialStart start, @Nullable TrialEnd end) {}

    /** By trial_pk. */
    private Mono<Facts> facts(long trial, int seq) {
        return database.sql("""
                        select case when :seq = 0 and start_facts <> '{}' then start_facts::text end as start_facts,
                               case when (end_facts ->> 'batches')::int = :seq + 1 then end_facts::text end as end_facts
                          from trial where trial_id = :trial
                        """)
                .bind("trial", trial)
                .bind("seq", seq)
                .map(row -> {
                    String start = textOrNull(row, "start_facts");
                    String end = textOrNull(row, "end_facts");
                    return new Facts(
                            start == null ? null : StoredJson.read(start, TrialStart.class),
                            end == null ? null : StoredJson.read(end, TrialEnd.class));
                })
                .one();
    }

    private record Samples(
            String metric, Long[] at, @Nullable Double[] values) {}

    /** How late each was is not kept. By sample_chunk_pk. */
    private Mono<Optional<Ticks>> ticks(long trial, int seq, TrialContent content) {
        return database.sql("""
                        select metric, at_ns, value from sample_chunk
                         where trial_id = :trial and seq = :seq order by metric collate "C" limit 1000
                        """)
                .bind("trial", trial)
                .bind("seq", seq)
                .map(row -> new Samples(
                        text(row, "metric"),
                        Objects.requireNonNull(row.get("at_ns", Long[].class)),
                        Objects.requireNonNull(row.get("value", Double[].class))))
                .all()
                .filter(samples -> content.hasSamplesOf(samples.metric()))
                .collectList()
                .map(ExportedTrialStore::ticks);
    }

    private static Optional<Ticks> ticks(List<Samples> columns) {
        if (columns.isEmpty()) {
            return Optional.empty();
        }
        Map<String, List<@Nullable Double>> values = new TreeMap<>();
        columns.forEach(column -> values.put(column.metric(), Arrays.asList(column.values())));
        return Optional.of(new Ticks(List.of(columns.getFirst().at()), null, values));
    }

    /** By trial_metric_pk. */
    Mono<List<BundleTable.Reading>> readings(long trial) {
        return database.sql("""
                        select metric, value, eligible, reason from trial_metric where trial_id = :trial order by metric collate "C"
                        """)
                .bind("trial", trial)
                .map(row -> new BundleTable.Reading(
                        text(row, "metric"),
                        Objects.requireNonNull(row.get("value", Double.class)),
                        flag(row, "eligible"),
                        textOrNull(row, "reason")))
                .all()
                .collectList();
    }

    /** By artefact_pk. */
    Mono<byte[]> artefact(long trial, String name) {
        return database.sql("select content from artefact where trial_id = :trial and name = :name")
                .bind("trial", trial)
                .bind("name", name)
                .map(row -> Objects.requireNonNull(row.get("content", byte[].class)))
                .one();
    }
}
