package dev.loomboard.bundle;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.Availability;
import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.inventory.Qualification;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.Phase;
import dev.loomboard.measurement.Validity;
import dev.loomboard.run.Progress;
import dev.loomboard.scenario.DatabaseDelay;
import dev.loomboard.scenario.Load;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a run for its bundle, but for what its trials sent. Nothing of people is read: no account, no note, no e-mail address. */
@Repository
class BundleStore {

    private static final TypeReference<Map<String, Object>> FACTS = new TypeReference<>() {};
    private static final TypeReference<List<String>> STRINGS = new TypeReference<>() {};
    private static final int MOST = 20_001; // one more than a bundle may have: the record refuses it

    private final DatabaseClient database;
    private final JsonMapper json;

    BundleStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * A run that the caller may see.
     *
     * @param over it has ended
     * @param followsAnother its verdicts count the blocks of another run
     * @param service where it was measured; null: here
     */
    record Head(
            long key,
            long machineKey,
            boolean over,
            boolean followsAnother,
            @Nullable String service,
            String id,
            String title,
            BundleRun.@Nullable Course course,
            JsonNode spec,
            List<String> notices,
            BundleRun.Machine machine) {}

    /** Empty: there is none, or the caller may not see it. Plan: run_external_id_uq, then primary keys. */
    Mono<Head> head(Caller caller, String id) {
        return VisibleSql.query(database, caller, """
                        select r.run_id, r.machine_id, coalesce(i.origin_id, r.external_id) as id, i.service, r.title, r.state, r.failure,
                               r.attempts, r.fencing, r.created_at, r.started_at, coalesce(r.finished_at, r.started_at, r.created_at) as finished_at,
                               r.order_seed, r.planned_trials, r.planned_seconds, r.reckoned_seconds, k.slug as control, r.follow_up, r.look,
                               coalesce(r.look, 1) > 1 as follows, (r.pilot ->> 'first')::int as pilot_first,
                               (r.pilot ->> 'budget')::int as pilot_budget, (r.pilot ->> 'trials')::int as pilot_trials,
                               case when r.progress ->> 'trialId' is not null and i.run_id is not null
                                    then r.progress || jsonb_build_object('trialId', (select t.origin_id from trial t
                                           where t.external_id = r.progress ->> 'trialId'))
                                    else r.progress end as progress,
                               r.spec, r.notices,
                               coalesce(m.origin_id, m.external_id) as machine, m.slug, m.name, m.agent_version, m.fingerprint_hash,
                               m.class_hash, m.class_label, m.fingerprint, m.qualification
                          from run r join machine m using (machine_id)
                          left join imported_run i on i.run_id = r.run_id
                          left join jdk_build k on k.jdk_build_id = r.control_build_id
                         where r.external_id = :id and visible(r)
                        """)
                .bind("id", id)
                .map(this::found)
                .one();
    }

    /** Builds that the run's cells are on, and its control. By cell_ordinal_uq and primary keys. */
    Mono<List<BundleJdk>> jdks(long run) {
        return database.sql("""
                        select j.slug, j.identity, j.vendor, j.runtime_version, j.feature, j.availability, j.architecture, j.lineage,
                               j.lineage_hash
                          from jdk_build j
                         where j.jdk_build_id <> 0
                           and (j.jdk_build_id in (select c.jdk_build_id from cell c where c.run_id = :run)
                                or j.jdk_build_id = (select r.control_build_id from run r where r.run_id = :run))
                         order by j.slug collate "C" limit :most
                        """)
                .bind("run", run)
                .bind("most", MOST)
                .map(row -> new BundleJdk(
                        text(row, "slug"),
                        text(row, "identity"),
                        text(row, "vendor"),
                        text(row, "runtime_version"),
                        whole(row, "feature"),
                        WireName.of(Availability.class, text(row, "availability")),
                        text(row, "architecture"),
                        json.readValue(json(row, "lineage"), FACTS),
                        text(row, "lineage_hash")))
                .all()
                .collectList();
    }

    /** By cell_ordinal_uq. */
    Mono<List<BundleCell>> cells(long run) {
        return database.sql("""
                        select c.ordinal, c.server, c.variant, c.framework, c.concurrency_model, c.workload, c.workload_version, c.params,
                               c.declared_delay_ms, c.load, c.scenario_key, c.database_delay, c.collector, c.jvm_options, c.limits, c.scored,
                               case when c.jdk_build_id <> 0 then j.slug end as jdk
                          from cell c join jdk_build j using (jdk_build_id)
                         where c.run_id = :run order by c.ordinal limit :most
                        """)
                .bind("run", run)
                .bind("most", MOST)
                .map(this::cell)
                .all()
                .collectList();
    }

    /** The newest of each fingerprint that the run's trials had: what judged them. Plan: trial_run_ix, machine_host_since_ix. */
    Mono<List<BundleRun.Host>> hosts(Head head) {
        return database.sql("""
                        select h.* from (
                          select distinct on (h.fingerprint_hash) h.since, h.fingerprint_hash, h.agent_version, h.facts
                            from machine_host h
                           where h.machine_id = :machine
                             and h.fingerprint_hash in (select t.fingerprint_hash from trial t where t.run_id = :run)
                           order by h.fingerprint_hash, h.since desc, h.machine_host_id desc) h
                         order by h.since, h.fingerprint_hash limit :most
                        """)
                .bind("machine", head.machineKey())
                .bind("run", head.key())
                .bind("most", MOST)
                .map(row -> new BundleRun.Host(
                        instant(row, "since").toString(),
                        text(row, "fingerprint_hash"),
                        text(row, "agent_version"),
                        json.readValue(json(row, "facts"), FACTS)))
                .all()
                .collectList();
    }

    /** @param validity null: it measured no step */
    record StoredTrial(
            long key, BundleTrial trial, @Nullable Validity validity) {}

    /** In order of execution. Plan: trial_run_ix, batch_pk, artefact_pk. */
    Mono<List<StoredTrial>> trials(long run) {
        return database.sql("""
                        select t.trial_id, coalesce(t.origin_id, t.external_id) as id, c.ordinal as cell, t.kind, t.ordinal, t.position, t.fencing,
                               t.state, t.phase, case when t.state = 'aborted' then t.reason end as reason, t.validity, t.late, t.cut_off,
                               t.finished_at, t.skew_ns, t.samples_removed_at,
                               array(select b.seq from batch b where b.trial_id = t.trial_id order by b.seq) as batches,
                               array(select a.name from artefact a where a.trial_id = t.trial_id order by a.name collate "C") as artefacts
                          from trial t join cell c using (cell_id)
                         where t.run_id = :run and t.state in ('done', 'failed', 'aborted')
                         order by t.fencing, t.position limit :most
                        """)
                .bind("run", run)
                .bind("most", MOST)
                .map(BundleStore::trial)
                .all()
                .collectList();
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

    /** Whether it has steps whose histograms are not kept. By trial_run_ix and step_ordinal_uq. */
    Mono<Boolean> lacksHistograms(long run) {
        return database.sql("""
                        select exists (select from trial t join step s using (trial_id)
                                        where t.run_id = :run and length(s.service) = 0) as lacks
                        """).bind("run", run).map(row -> flag(row, "lacks")).one();
    }

    private Head found(Readable row) {
        RunState state = WireName.of(RunState.class, text(row, "state"));
        return new Head(
                number(row, "run_id"),
                number(row, "machine_id"),
                state.isOver(),
                flag(row, "follows"),
                textOrNull(row, "service"),
                text(row, "id"),
                text(row, "title"),
                state.isOver() && !flag(row, "follows") ? course(row, state) : null,
                json.readTree(json(row, "spec")),
                json.readValue(json(row, "notices"), STRINGS),
                machine(row));
    }

    private BundleRun.Course course(Readable row, RunState state) {
        Integer first = row.get("pilot_first", Integer.class);
        return new BundleRun.Course(
                state,
                textOrNull(row, "failure"),
                whole(row, "attempts"),
                number(row, "fencing"),
                instant(row, "created_at").toString(),
                written(instantOrNull(row, "started_at")),
                instant(row, "finished_at").toString(),
                row.get("order_seed", Long.class),
                row.get("planned_trials", Integer.class),
                row.get("planned_seconds", Double.class),
                row.get("reckoned_seconds", Double.class),
                textOrNull(row, "control"),
                flag(row, "follow_up"),
                row.get("look", Integer.class),
                first == null
                        ? null
                        : new BundleRun.PilotLook(first, whole(row, "pilot_budget"), whole(row, "pilot_trials")),
                json.readValue(json(row, "progress"), Progress.class));
    }

    private BundleRun.Machine machine(Readable row) {
        Json qualification = row.get("qualification", Json.class);
        return new BundleRun.Machine(
                text(row, "machine"),
                text(row, "slug"),
                text(row, "name"),
                textOrNull(row, "agent_version"),
                textOrNull(row, "fingerprint_hash"),
                textOrNull(row, "class_hash"),
                textOrNull(row, "class_label"),
                json.readValue(json(row, "fingerprint"), FACTS),
                qualification == null ? null : json.readValue(qualification.asString(), Qualification.class));
    }

    private BundleCell cell(Readable row) {
        Json delay = row.get("database_delay", Json.class);
        return new BundleCell(
                whole(row, "ordinal"),
                text(row, "server"),
                text(row, "variant"),
                textOrNull(row, "framework"),
                WireName.of(ConcurrencyModel.class, text(row, "concurrency_model")),
                text(row, "workload"),
                whole(row, "workload_version"),
                json.readValue(json(row, "params"), FACTS),
                Objects.requireNonNull(row.get("declared_delay_ms", Double.class)),
                json.readValue(json(row, "load"), Load.class),
                delay == null ? null : json.readValue(delay.asString(), DatabaseDelay.class),
                text(row, "scenario_key"),
                text(row, "collector"),
                texts(row, "jvm_options"),
                Limits.of(json(row, "limits")),
                textOrNull(row, "jdk"),
                row.get("scored", Integer.class));
    }

    private static StoredTrial trial(Readable row) {
        return new StoredTrial(
                number(row, "trial_id"),
                new BundleTrial(
                        text(row, "id"),
                        whole(row, "cell"),
                        TrialKind.of(text(row, "kind")),
                        whole(row, "ordinal"),
                        whole(row, "position"),
                        number(row, "fencing"),
                        WireName.of(TrialState.class, text(row, "state")),
                        WireName.orNull(Phase.class, textOrNull(row, "phase")),
                        textOrNull(row, "reason"),
                        flag(row, "late"),
                        flag(row, "cut_off"),
                        written(instantOrNull(row, "finished_at")),
                        row.get("skew_ns", Long.class),
                        written(instantOrNull(row, "samples_removed_at")),
                        List.of(Objects.requireNonNull(row.get("batches", Integer[].class))),
                        texts(row, "artefacts")),
                WireName.orNull(Validity.class, textOrNull(row, "validity")));
    }

    private static @Nullable String written(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
