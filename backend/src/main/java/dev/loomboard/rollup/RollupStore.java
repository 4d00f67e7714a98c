package dev.loomboard.rollup;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.MixOperation;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.Validity;
import dev.loomboard.retracted.RetractedSql;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Reads what a trial uploaded and keeps what was made of it. All of it is called within one transaction. */
@Repository
public class RollupStore {

    /** The wire's limits: what is read is what could be stored. */
    private static final int MOST_STEPS = 500;

    private static final int MOST_SECONDS = 50_000;
    private static final int MOST_CHUNKS = 200_000;
    private static final int MOST_TRIALS = 1_000_000;

    /** The deadline of a hit of step s of run r, in ns. Agents did not always say it; then it is that of their matrix. */
    public static final String DEADLINE = """
            coalesce((s.outcomes ->> 'timeoutNs')::bigint, ((r.spec ->> 'timeoutSeconds')::float8 * 1e9)::bigint, 30000000000)
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    public RollupStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** What is made in this transaction sees every retraction, or the next retraction sees it. */
    public Mono<Void> seeRetractions() {
        return database.sql(RetractedSql.SHARED_LOCK).then();
    }

    /** Until the transaction ends nobody rolls up, and what was being rolled up is done. */
    public Mono<Void> waitForRollUps() {
        return database.sql(RetractedSql.LOCK).then();
    }

    /** Empty: there is no such trial, or it has not ended. Plan: primary keys, step_ordinal_uq, sample_chunk_pk. */
    public Mono<EndedTrial> trial(long trialId) {
        return Mono.zip(steps(trialId).collectList(), columns(trialId))
                .flatMap(read -> database.sql("""
                        select t.trial_id, t.cell_id, t.kind = 'diagnostic' as diagnostic, t.late, c.declared_delay_ms,
                               c.load ->> 'profile' in ('constant', 'poisson', 'closed', 'batch') as one_step, t.end_facts::text as end_facts
                          from trial t join cell c using (cell_id)
                         where t.trial_id = :trial and t.state in ('done', 'failed', 'aborted')
                        """)
                        .bind("trial", trialId)
                        .map(row -> facts(row, read.getT1(), read.getT2()))
                        .one());
    }

    /** Whether its raw samples are no more: what was made of them cannot be made again. By trial_pk. */
    public Mono<Boolean> samplesRemoved(long trialId) {
        return database.sql("select samples_removed_at is not null as removed from trial where trial_id = :trial")
                .bind("trial", trialId)
                .map(row -> flag(row, "removed"))
                .one();
    }

    /** The seconds of the measured steps, by the step's ordinal. Plan: load_window_pk. */
    public Mono<Map<Integer, Collection<EndedTrial.Hits>>> seconds(long trialId) {
        return database.sql("""
                        select step, service, service_failed, response, response_failed, excess, below_delay
                          from load_window where trial_id = :trial and phase = 'measure'
                         order by at_ns limit :most
                        """)
                .bind("trial", trialId)
                .bind("most", MOST_SECONDS)
                .map(row -> Map.entry(whole(row, "step"), hits(row)))
                .all()
                .collectMultimap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** Of a mix, by the step's ordinal. Plan: step_operation_pk. */
    public Mono<Map<Integer, Collection<EndedTrial.Operation>>> operations(long trialId) {
        return database.sql("""
                        select step, operation, offered, completed, failed, unfinished, completed_in_step,
                               service, service_failed, response, response_failed, excess, below_delay
                          from step_operation where trial_id = :trial
                         order by step, operation limit :most
                        """)
                .bind("trial", trialId)
                .bind("most", MOST_STEPS * MixOperation.MOST)
                .map(RollupStore::operation)
                .all()
                .collectMultimap(EndedTrial.Operation::step);
    }

    public Mono<Void> putMetrics(long trialId, EndedTrial.Operation operation, Map<String, MetricValue> metrics) {
        return database.sql("""
                        update step_operation set metrics = :metrics
                         where trial_id = :trial and step = :step and operation = :operation
                        """)
                .bind("metrics", Json.of(json.writeValueAsString(metrics)))
                .bind("trial", trialId)
                .bind("step", operation.step())
                .bind("operation", operation.name())
                .then();
    }

    public Mono<Void> putPercentiles(long stepId, StepPercentiles percentiles) {
        return database.sql("update step set percentiles = :percentiles where step_id = :step")
                .bind("percentiles", Json.of(json.writeValueAsString(percentiles)))
                .bind("step", stepId)
                .then();
    }

    /** Replaces the metrics of a trial. */
    public Mono<Void> putMetrics(long trialId, Map<String, MetricValue> metrics) {
        List<Map.Entry<String, MetricValue>> rows = new ArrayList<>(metrics.entrySet());
        return database.sql("delete from trial_metric where trial_id = :trial")
                .bind("trial", trialId)
                .then()
                .then(Mono.defer(() -> rows.isEmpty() ? Mono.empty() : insertMetrics(trialId, rows)));
    }

    private Mono<Void> insertMetrics(long trialId, List<Map.Entry<String, MetricValue>> rows) {
        return database.sql("""
                        insert into trial_metric (trial_id, metric, value, eligible, reason)
                        select :trial, u.* from unnest(:names::text[], :values::float8[], :eligible::boolean[], :reasons::text[]) u
                        """)
                .bind("trial", trialId)
                .bind("names", rows.stream().map(Map.Entry::getKey).toArray(String[]::new))
                .bind("values", rows.stream().map(r -> r.getValue().value()).toArray(Double[]::new))
                .bind(
                        "eligible",
                        rows.stream().map(r -> r.getValue().eligible()).toArray(Boolean[]::new))
                .bind("reasons", rows.stream().map(r -> r.getValue().reason()).toArray(String[]::new))
                .then();
    }

    /** Trials of a run that have ended, in order of execution. */
    public Flux<Long> ended(long runId) {
        return database.sql("""
                        select trial_id from trial
                         where run_id = :run and state in ('done', 'failed', 'aborted')
                         order by fencing, position limit :most
                        """)
                .bind("run", runId)
                .bind("most", MOST_TRIALS)
                .map(row -> number(row, "trial_id"))
                .all();
    }

    private Flux<EndedTrial.Step> steps(long trialId) {
        return database.sql("""
                        select s.step_id, s.ordinal, s.rate, s.start_ns, s.end_ns, s.offered, s.completed, s.failed, s.unfinished, s.validity,
                               s.service, s.service_failed, s.response, s.response_failed, s.excess, s.below_delay,
                               case when s.cause is distinct from 'server saturated' then (s.health ->> 'lagP50Ns')::bigint end as lag_p50_ns,
                               case when s.cause is distinct from 'server saturated' then (s.health ->> 'lagP99Ns')::bigint end as lag_p99_ns,
                               coalesce((s.outcomes ->> 'completedInStep')::bigint,
                                        round((s.outcomes ->> 'throughputPerSecond')::float8 * (s.end_ns - s.start_ns) / 1e9)::bigint)
                                 as completed_in_step,
                               """ + DEADLINE + """
                                 as deadline_ns
                          from step s join trial t using (trial_id) join run r using (run_id)
                         where s.trial_id = :trial order by s.ordinal limit :most
                        """)
                .bind("trial", trialId)
                .bind("most", MOST_STEPS)
                .map(RollupStore::step)
                .all();
    }

    private Mono<Map<String, SampleColumn>> columns(long trialId) {
        return database.sql("""
                        select metric, at_ns, value from sample_chunk
                         where trial_id = :trial and metric = any(:metrics)
                         order by metric, seq limit :most
                        """)
                .bind("trial", trialId)
                .bind("metrics", SampledMetric.metrics())
                .bind("most", MOST_CHUNKS)
                .map(row -> Map.entry(text(row, "metric"), column(row)))
                .all()
                .collectList()
                .map(RollupStore::byMetric);
    }

    /** Chunks in order, put together. */
    private static Map<String, SampleColumn> byMetric(List<Map.Entry<String, SampleColumn>> chunks) {
        Map<String, List<SampleColumn>> parts = new LinkedHashMap<>();
        chunks.forEach(chunk ->
                parts.computeIfAbsent(chunk.getKey(), name -> new ArrayList<>()).add(chunk.getValue()));
        Map<String, SampleColumn> columns = new LinkedHashMap<>();
        parts.forEach((metric, list) -> columns.put(metric, SampleColumn.of(list)));
        return Collections.unmodifiableMap(columns);
    }

    private static SampleColumn column(Readable row) {
        Long[] at = Objects.requireNonNull(row.get("at_ns", Long[].class), "at_ns");
        long[] nanos = new long[at.length];
        for (int i = 0; i < at.length; i++) {
            nanos[i] = at[i];
        }
        return new SampleColumn(nanos, Objects.requireNonNull(row.get("value", Double[].class), "value"));
    }

    private static EndedTrial facts(Readable row, List<EndedTrial.Step> steps, Map<String, SampleColumn> columns) {
        return new EndedTrial(
                number(row, "trial_id"),
                number(row, "cell_id"),
                flag(row, "diagnostic"),
                flag(row, "late"),
                Objects.requireNonNull(row.get("declared_delay_ms", Double.class)),
                flag(row, "one_step"),
                StoredJson.read(text(row, "end_facts"), TrialEnd.class),
                steps,
                columns);
    }

    private static EndedTrial.Step step(Readable row) {
        return new EndedTrial.Step(
                number(row, "step_id"),
                whole(row, "ordinal"),
                row.get("rate", Double.class),
                number(row, "start_ns"),
                number(row, "end_ns"),
                new EndedTrial.Counts(
                        number(row, "offered"),
                        number(row, "completed"),
                        number(row, "failed"),
                        number(row, "unfinished"),
                        row.get("completed_in_step", Long.class)),
                WireName.of(Validity.class, text(row, "validity")),
                number(row, "deadline_ns"),
                new EndedTrial.Lag(row.get("lag_p50_ns", Long.class), row.get("lag_p99_ns", Long.class)),
                hits(row));
    }

    private static EndedTrial.Operation operation(Readable row) {
        return new EndedTrial.Operation(
                whole(row, "step"),
                text(row, "operation"),
                new EndedTrial.Counts(
                        number(row, "offered"),
                        number(row, "completed"),
                        number(row, "failed"),
                        number(row, "unfinished"),
                        number(row, "completed_in_step")),
                hits(row));
    }

    public static EndedTrial.Hits hits(Readable row) {
        return new EndedTrial.Hits(
                Objects.requireNonNull(bytes(row, "service")),
                bytes(row, "service_failed"),
                bytes(row, "response"),
                bytes(row, "response_failed"),
                bytes(row, "excess"),
                Objects.requireNonNullElse(row.get("below_delay", Long.class), 0L));
    }

    private static byte @Nullable [] bytes(Readable row, String column) {
        return row.get(column, byte[].class);
    }
}
