package dev.loomboard.runexport;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.bundle.BundleCell;
import dev.loomboard.bundle.BundleCourse;
import dev.loomboard.bundle.BundleJdk;
import dev.loomboard.bundle.BundleMachine;
import dev.loomboard.bundle.BundleTrial;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.inventory.Qualification;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.matrix.MatrixFile;
import dev.loomboard.measurement.Phase;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.Validity;
import dev.loomboard.run.Progress;
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
class ExportedRunStore {

    private static final TypeReference<Map<String, Object>> FACTS = new TypeReference<>() {};
    private static final TypeReference<List<String>> STRINGS = new TypeReference<>() {};
    private static final int MOST = 20_001; // one more than a bundle may have: the record refuses it

    private final DatabaseClient database;
    private final JsonMapper json;

    ExportedRunStore(DatabaseClient database, JsonMapper json) {
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
            @Nullable BundleCourse course,
            JsonNode spec,
            List<String> notices,
            BundleMachine machine) {}

    /** Empty: there is none, or the caller may not see it. Plan: run_external_id_uq, then primary keys. */
    Mono<Head> head(Caller caller, String id) {
        return VisibleSql.query(database, caller, """
                        select r.run_id, r.machine_id, coalesce(i.origin_id, r.external_id) as id, i.service, r.title, r.state, r.failure,
                               r.attempts, r.fencing, r.created_at, r.started_at, coalesce(r.finished_at, r.started_at, r.created_at) as finished_at,
                               r.order_seed, r.planned_trials, r.planned_seconds, r.reckoned_seconds, k.slug as control, r.follow_up, r.look,
                               coalesce(r.look, 1) > 1 as follows, r.pilot::text as pilot,
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
        return parts(run, BundleJdk.class, """
                        select json_build_object('slug', j.slug, 'identity', j.identity, 'vendor', j.vendor,
                                 'runtimeVersion', j.runtime_version, 'feature', j.feature, 'availability', j.availability,
                                 'architecture', j.architecture, 'lineage', j.lineage, 'lineageHash', j.lineage_hash)::text as part
                          from jdk_build j
                         where j.jdk_build_id <> 0
                           and (j.jdk_build_id in (select c.jdk_build_id from cell c where c.run_id = :run)
                                or j.jdk_build_id = (select r.control_build_id from run r where r.run_id = :run))
                         order by j.slug collate "C" limit :most
                        """);
    }

    /** By cell_ordinal_uq. */
    Mono<List<BundleCell>> cells(long run) {
        return parts(run, BundleCell.class, """
                        select json_build_object('ordinal', c.ordinal,
                                 'server', json_build_object('name', c.server, 'variant', c.variant, 'framework', c.framework,
                                   'concurrencyModel', c.concurrency_model),
                                 'scenario', json_build_object('key', c.scenario_key, 'workload', c.workload,
                                   'workloadVersion', c.workload_version, 'params', c.params, 'declaredDelayMs', c.declared_delay_ms,
                                   'load', c.load, 'databaseDelay', c.database_delay),
                                 'collector', c.collector, 'jvmOptions', c.jvm_options, 'limits', c.limits,
                                 'jdk', case when c.jdk_build_id <> 0 then j.slug end, 'scored', c.scored)::text as part
                          from cell c join jdk_build j using (jdk_build_id)
                         where c.run_id = :run order by c.ordinal limit :most
                        """);
    }

    /** @param sql gives each as the bundle has it */
    private <T> Mono<List<T>> parts(long run, Class<T> type, String sql) {
        return database.sql(sql)
                .bind("run", run)
                .bind("most", MOST)
                .map(row -> json.readValue(text(row, "part"), type))
                .all()
                .collectList();
    }

    /** The newest of each fingerprint that the run's trials had: what judged them. Plan: trial_run_ix, machine_host_since_ix. */
    Mono<List<BundleMachine.Host>> hosts(Head head) {
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
                .map(row -> new BundleMachine.Host(
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
                .map(ExportedRunStore::trial)
                .all()
                .collectList();
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
                MatrixFile.stated(json.readTree(json(row, "spec"))),
                json.readValue(json(row, "notices"), STRINGS),
                machine(row));
    }

    private BundleCourse course(Readable row, RunState state) {
        String pilot = textOrNull(row, "pilot");
        return new BundleCourse(
                state,
                textOrNull(row, "failure"),
                whole(row, "attempts"),
                number(row, "fencing"),
                new BundleCourse.Times(
                        instant(row, "created_at").toString(),
                        written(instantOrNull(row, "started_at")),
                        instant(row, "finished_at").toString()),
                new BundleCourse.Plan(
                        row.get("order_seed", Long.class),
                        row.get("planned_trials", Integer.class),
                        row.get("planned_seconds", Double.class),
                        row.get("reckoned_seconds", Double.class),
                        pilot == null ? null : StoredJson.read(pilot, BundleCourse.Pilot.class)),
                textOrNull(row, "control"),
                flag(row, "follow_up"),
                row.get("look", Integer.class),
                json.readValue(json(row, "progress"), Progress.class));
    }

    private BundleMachine machine(Readable row) {
        Json qualification = row.get("qualification", Json.class);
        return new BundleMachine(
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

    private static StoredTrial trial(Readable row) {
        return new StoredTrial(
                number(row, "trial_id"),
                new BundleTrial(
                        text(row, "id"),
                        whole(row, "cell"),
                        TrialKind.of(text(row, "kind")),
                        whole(row, "ordinal"),
                        new BundleTrial.Place(number(row, "fencing"), whole(row, "position")),
                        new BundleTrial.End(
                                WireName.of(TrialState.class, text(row, "state")),
                                WireName.orNull(Phase.class, textOrNull(row, "phase")),
                                textOrNull(row, "reason"),
                                written(instantOrNull(row, "finished_at"))),
                        flag(row, "late"),
                        flag(row, "cut_off"),
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
