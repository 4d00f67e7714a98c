package dev.loomboard.trial;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.CellIdentity;
import dev.loomboard.cell.CellSql;
import dev.loomboard.cell.ImportedSql;
import dev.loomboard.cell.JdkSql;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.Phase;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.StoredJson.Document;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.TrialStart;
import dev.loomboard.measurement.Validity;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.rollup.EndedTrial;
import dev.loomboard.rollup.MetricValue;
import dev.loomboard.rollup.RollupStore;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.core.type.TypeReference;

/** Reads a trial for its page. Empty for callers who may not see its run. */
@Repository
public class TrialStore {

    static final String VISIBLE = " and visible(r)";

    /** Plan: trial_external_id_uq, then a probe per key: step_ordinal_uq, trial_phase_pk, trial_metric_pk, trial_cell_ix. */
    static final String HEAD = """
            select t.trial_id, t.external_id, w.slug as workspace, r.external_id as run, r.title, c.external_id as cell,
                   t.kind, t.ordinal, t.state, t.phase, t.validity, t.reason, t.late, t.started_at, t.finished_at, t.samples_removed_at, t.skew_ns,
                   t.server_digest, t.fingerprint_hash, t.agent_version,
                   c.server, c.variant, c.framework, c.concurrency_model, c.workload, c.scenario_key, c.declared_delay_ms, c.collector,
                   c.jvm_options, c.limits, r.spec ->> 'protocol' as protocol,
                   m.external_id as machine, m.slug as machine_slug, m.name as machine_name,
                   """ + JdkSql.COLUMNS + "," + ImportedSql.COLUMNS + """
                   , t.start_facts::text as start_facts, t.end_facts::text as end_facts,
                   (select coalesce(json_agg(json_build_object('phase', p.phase, 'seconds', p.at_ns / 1e9::float8) order by p.at_ns), '[]')
                      from trial_phase p where p.trial_id = t.trial_id)::text as phases,
                   (select coalesce(json_object_agg(x.metric, json_build_object(
                             'value', x.value, 'eligible', x.eligible, 'reason', x.reason)), '{}')
                      from trial_metric x where x.trial_id = t.trial_id)::text as metrics,
                   (select coalesce(json_agg(json_build_object(
                             'ordinal', s.ordinal, 'rate', s.rate, 'connections', s.connections,
                             'transport', case when s.transport is not null and s.http is not null
                                               then json_build_object('transport', s.transport, 'http', s.http) end,
                             'startSeconds', s.start_ns / 1e9::float8, 'endSeconds', s.end_ns / 1e9::float8,
                             'offered', s.offered, 'sent', s.sent, 'completed', s.completed, 'failed', s.failed,
                             'unfinished', s.unfinished, 'validity', s.validity, 'reason', s.reason, 'cause', s.cause,
                             'health', s.health, 'outcomes', s.outcomes, 'percentiles', s.percentiles)
                             order by s.ordinal), '[]')
                      from step s where s.trial_id = t.trial_id)::text as steps,
                   (select json_agg(json_build_object(
                             'id', o.external_id, 'kind', o.kind, 'ordinal', o.ordinal, 'state', o.state,
                             'validity', o.validity, 'late', o.late, 'contention', o.end_facts -> 'contention',
                             'requests', (select sum(s.completed + s.failed) from step s where s.trial_id = o.trial_id))
                             order by o.fencing, o.position)
                      from trial o where o.cell_id = t.cell_id)::text as cell_trials, ret.retracted
              from trial t
              join run r using (run_id)
              join cell c using (cell_id)
              join workspace w on w.workspace_id = r.workspace_id
              join machine m on m.machine_id = r.machine_id
              join jdk_build j on j.jdk_build_id = c.jdk_build_id
            """
            + ImportedSql.JOIN
            + RetractedSql.join(new RetractedSql.Result(
                    "c.server", "t.server_digest", "c.workload", "c.scenario_key", "r.machine_id", "r.run_id"))
            + " where t.external_id = :trial " + VISIBLE;

    /** More points than this no chart shows apart. */
    static final int MOST_POINTS = 600;

    /** Seconds of load: twice as many, so that those of twenty minutes are all there. */
    static final int MOST_WINDOWS = 1200;

    /**
     * Seconds are merged so that there are at most {@code :most} rows. A percentile is the highest of its seconds, and
     * missing where it is missing in one that had hits: it is then higher than is known. Plan: load_window_pk.
     */
    static final String WINDOWS = """
            with second as (
              select at_ns, phase, step, intended, sent, completed, failed,
                     response_p50_ns, response_p99_ns, service_p50_ns, service_p99_ns,
                     row_number() over (order by at_ns) - 1 as nth, (count(*) over () + :most - 1) / :most as merged
                from load_window where trial_id = :trial)
            select min(at_ns) as at_ns, (array_agg(phase order by at_ns))[1] as phase, (array_agg(step order by at_ns))[1] as step,
                   max(merged)::int as merged, sum(intended)::bigint as intended, sum(sent)::bigint as sent,
                   sum(completed)::bigint as completed, sum(failed)::bigint as failed,
                   case when not bool_or(sent > 0 and response_p50_ns is null) then max(response_p50_ns) end as response_p50_ns,
                   case when not bool_or(sent > 0 and response_p99_ns is null) then max(response_p99_ns) end as response_p99_ns,
                   case when not bool_or(sent > 0 and service_p50_ns is null) then max(service_p50_ns) end as service_p50_ns,
                   case when not bool_or(sent > 0 and service_p99_ns is null) then max(service_p99_ns) end as service_p99_ns
              from second group by nth / merged order by nth / merged limit :most
            """;

    /**
     * A row per metric, of {@code :most} points at most: where a batch's ticks begin among all of the trial tells which
     * point each belongs to, without sorting them. Plan: sample_chunk_pk.
     */
    static final String SAMPLES = """
            with chunk as (
              select metric, at_ns, value,
                     sum(cardinality(at_ns)) over (partition by metric order by seq) - cardinality(at_ns) as starts,
                     sum(cardinality(at_ns)) over (partition by metric) as ticks
                from sample_chunk where trial_id = :trial),
            tick as (
              select c.metric, t.at_ns, t.value, c.starts + t.nth - 1 as nth, c.ticks, (c.ticks + :most - 1) / :most as merged
                from chunk c cross join lateral unnest(c.at_ns, c.value) with ordinality as t (at_ns, value, nth)),
            point as (
              select metric, merged, nth / merged as nth, max(value) as highest,
                     max(at_ns) filter (where nth % merged = merged - 1 or nth = ticks - 1) as at_ns,
                     max(value) filter (where nth % merged = merged - 1 or nth = ticks - 1) as last
                from tick group by metric, merged, nth / merged)
            select metric, merged::int as merged, array_agg(at_ns order by nth) as at_ns, array_agg(last order by nth) as last,
                   array_agg(highest order by nth) as highest
              from point group by metric, merged order by metric limit 1000
            """;

    /** A histogram that is no longer kept has no bytes. Plan: trial_external_id_uq, step_ordinal_uq. */
    static final String STEP = """
            select s.ordinal, s.rate, s.connections, s.service, s.service_failed, s.response, s.response_failed, s.excess, s.below_delay,
                   """ + RollupStore.DEADLINE + """
                     as deadline_ns
              from trial t join run r using (run_id) join step s using (trial_id)
             where t.external_id = :trial and s.ordinal = :step and length(s.service) > 0
            """ + VISIBLE;

    private static final TypeReference<List<TrialDetail.PhaseEntry>> PHASES = new TypeReference<>() {};
    private static final TypeReference<List<TrialDetail.Step>> STEPS = new TypeReference<>() {};
    private static final TypeReference<List<TrialDetail.Sibling>> TRIALS = new TypeReference<>() {};
    private static final TypeReference<Map<String, MetricValue>> METRICS = new TypeReference<>() {};

    private final DatabaseClient database;

    public TrialStore(DatabaseClient database) {
        this.database = database;
    }

    /** All that the page of a trial shows, by external id. Three queries. */
    public Mono<TrialDetail> detail(String trial, Caller caller) {
        return VisibleSql.query(database, caller, HEAD)
                .bind("trial", trial)
                .map(TrialStore::head)
                .one()
                .flatMap(head -> Mono.zip(windows(head.key()), samples(head.key()), head.trial()));
    }

    /** The distribution of one step; empty also when it had no hits. */
    public Mono<PercentileCurve> curve(String trial, int step, Caller caller) {
        return VisibleSql.query(database, caller, STEP)
                .bind("trial", trial)
                .bind("step", step)
                .map(TrialStore::stepHits)
                .one()
                .publishOn(Schedulers.parallel())
                .map(StepHits::curve)
                .filter(curve -> curve.hits() > 0);
    }

    private record StepHits(
            int ordinal,
            @Nullable Double rate,
            @Nullable Integer connections,
            long deadlineNanos,
            EndedTrial.Hits hits) {
        PercentileCurve curve() {
            return rate == null
                    ? Curves.closed(ordinal, connections, hits.services(deadlineNanos))
                    : Curves.open(ordinal, rate, hits.responses(deadlineNanos), hits.services(deadlineNanos));
        }
    }

    private static StepHits stepHits(Readable row) {
        return new StepHits(
                whole(row, "ordinal"),
                row.get("rate", Double.class),
                row.get("connections", Integer.class),
                number(row, "deadline_ns"),
                RollupStore.hits(row));
    }

    private Mono<List<TrialDetail.Window>> windows(long trialId) {
        return database.sql(WINDOWS)
                .bind("trial", trialId)
                .bind("most", MOST_WINDOWS)
                .map(TrialStore::window)
                .all()
                .collectList();
    }

    private Mono<List<SampleSeries>> samples(long trialId) {
        return database.sql(SAMPLES)
                .bind("trial", trialId)
                .bind("most", MOST_POINTS)
                .map(row -> Map.entry(text(row, "metric"), column(row)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .map(Curves::samples);
    }

    private static ThinnedSamples column(Readable row) {
        Long[] at = Objects.requireNonNull(row.get("at_ns", Long[].class), "at_ns");
        return new ThinnedSamples(
                whole(row, "merged"),
                Arrays.stream(at).mapToLong(Long::longValue).toArray(),
                Objects.requireNonNull(row.get("last", Double[].class), "last"),
                Objects.requireNonNull(row.get("highest", Double[].class), "highest"));
    }

    private static TrialDetail.Window window(Readable row) {
        return new TrialDetail.Window(
                number(row, "at_ns") / 1e9,
                whole(row, "merged"),
                WireName.of(Phase.class, text(row, "phase")),
                whole(row, "step"),
                number(row, "intended"),
                number(row, "sent"),
                number(row, "completed"),
                number(row, "failed"),
                millis(row, "response_p50_ns"),
                millis(row, "response_p99_ns"),
                millis(row, "service_p50_ns"),
                millis(row, "service_p99_ns"));
    }

    private static @Nullable Double millis(Readable row, String column) {
        Long nanos = row.get(column, Long.class);
        return nanos == null ? null : nanos / 1e6;
    }

    /** A trial as its first query gives it. */
    private record Head(long key, BiFunction<List<TrialDetail.Window>, List<SampleSeries>, TrialDetail> trial) {}

    private static Head head(Readable row) {
        String id = text(row, "external_id");
        TrialDetail.RunRef run = new TrialDetail.RunRef(
                text(row, "workspace"), text(row, "run"), text(row, "title"), ImportedSql.read(row));
        String cell = text(row, "cell");
        TrialDetail.Status status = status(row);
        CellIdentity setup = setup(row);
        TrialDetail.Facts facts = new TrialDetail.Facts(
                textOrNull(row, "server_digest"),
                textOrNull(row, "fingerprint_hash"),
                textOrNull(row, "agent_version"),
                Document.of(text(row, "start_facts"), TrialStart.class),
                Document.of(text(row, "end_facts"), TrialEnd.class));
        List<TrialDetail.PhaseEntry> phases = StoredJson.read(text(row, "phases"), PHASES);
        Instant samplesRemoved = instantOrNull(row, "samples_removed_at");
        List<TrialDetail.Step> steps = StoredJson.read(text(row, "steps"), STEPS);
        Map<String, MetricValue> metrics = ordered(StoredJson.read(text(row, "metrics"), METRICS));
        List<TrialDetail.Sibling> trials = StoredJson.read(text(row, "cell_trials"), TRIALS);
        Retracted retracted = RetractedSql.read(row);
        return new Head(
                number(row, "trial_id"),
                (windows, samples) -> new TrialDetail(
                        id,
                        run,
                        cell,
                        status,
                        setup,
                        facts,
                        new TrialDetail.Measured(phases, steps, windows, samples, samplesRemoved, metrics),
                        contention(id, trials),
                        trials.stream().filter(trial -> !trial.id().equals(id)).toList(),
                        retracted));
    }

    private static TrialDetail.Status status(Readable row) {
        return new TrialDetail.Status(
                TrialKind.of(text(row, "kind")),
                whole(row, "ordinal"),
                WireName.of(TrialState.class, text(row, "state")),
                WireName.orNull(Phase.class, textOrNull(row, "phase")),
                WireName.orNull(Validity.class, textOrNull(row, "validity")),
                textOrNull(row, "reason"),
                flag(row, "late"),
                instantOrNull(row, "started_at"),
                instantOrNull(row, "finished_at"),
                row.get("skew_ns", Long.class));
    }

    private static Map<String, MetricValue> ordered(Map<String, MetricValue> metrics) {
        Map<String, MetricValue> ordered = new LinkedHashMap<>();
        Metrics.all()
                .list()
                .forEach(metric -> Optional.ofNullable(metrics.get(metric.name()))
                        .ifPresent(value -> ordered.put(metric.name(), value)));
        return ordered;
    }

    /** This trial's own, else that of the newest trial of the cell that counted; a trial's word that it did not is no zero. */
    private static TrialDetail.@Nullable Contention contention(String id, List<TrialDetail.Sibling> trials) {
        TrialDetail.Contention newest = null;
        for (TrialDetail.Sibling trial : trials) {
            TrialEnd.Contention counted = trial.contention();
            boolean own = trial.id().equals(id);
            if (counted != null && (own || !trial.late())) {
                newest = new TrialDetail.Contention(
                        trial.id(),
                        counted.source(),
                        counted.monitorTotal(),
                        counted.monitorVirtual(),
                        trial.requests());
                if (own) {
                    return newest;
                }
            }
        }
        return newest;
    }

    private static CellIdentity setup(Readable row) {
        return new CellIdentity(
                CellSql.server(row),
                text(row, "workload"),
                text(row, "scenario_key"),
                Objects.requireNonNull(row.get("declared_delay_ms", Double.class)),
                CellSql.settings(row),
                CellSql.machine(row),
                JdkSql.read(row));
    }
}
