package dev.loomboard.rollup;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.CellSql;
import dev.loomboard.cell.TrialState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.Steadiness;
import dev.loomboard.measurement.Validity;
import dev.loomboard.scenario.Load;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads cells with their trials' numbers; keeps series and points. All of it is called within one transaction. */
@Repository
public class CellStore {

    private static final TypeReference<Map<String, MetricValue>> METRICS = new TypeReference<>() {};
    private static final int MOST_TRIALS = 10_000;

    private final DatabaseClient database;
    private final JsonMapper json;

    public CellStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** Cells of a run. Plan: cell_ordinal_uq. */
    public Flux<Long> ofRun(long runId) {
        return database.sql("select cell_id from cell where run_id = :run order by ordinal")
                .bind("run", runId)
                .map(row -> number(row, "cell_id"))
                .all();
    }

    /** A series as it was found or made. */
    public record Series(long seriesId, String externalId) {}

    /** What all points of a cell share. */
    public record Shared(
            CellStanding standing,
            Instant measuredAt,
            String serverDigest,
            String fingerprintHash,
            String agentVersion) {}

    /**
     * The cell, locked until the transaction ends: of two trials that end at once, the second sees the first's numbers.
     * Plan: primary keys, trial_cell_ix, trial_metric_pk.
     */
    public Mono<FinishedCell> cell(long cellId) {
        return database.sql("select cell_id from cell where cell_id = :cell for update")
                .bind("cell", cellId)
                .fetch()
                .first()
                .then(trials(cellId))
                .flatMap(trials -> database.sql("""
                        select c.cell_id, c.workspace_id, c.run_id, r.visibility, m.machine_id, m.external_id as machine,
                               m.qualified_at is not null as qualified, m.fingerprint ->> 'placement' as placement,
                               m.class_hash, m.class_label, c.server, c.variant, c.framework, c.concurrency_model, c.workload,
                               c.scenario_key, c.load, c.collector, c.jvm_options, c.limits,
                               r.spec ->> 'protocol' as protocol, """ + CellSql.PILOT + """
                               , j.jdk_build_id, j.feature, j.vendor, j.architecture
                          from cell c join run r using (run_id) join machine m using (machine_id)
                               join jdk_build j using (jdk_build_id)
                         where c.cell_id = :cell
                        """)
                        .bind("cell", cellId)
                        .map(row -> facts(row, trials))
                        .one());
    }

    /** The newest of each planned trial: a later lease plans unfinished trials again, and those whose block is repeated. */
    private Mono<List<FinishedCell.Trial>> trials(long cellId) {
        return database.sql("""
                        select distinct on (t.kind = 'diagnostic', t.ordinal)
                               t.trial_id, t.kind = 'diagnostic' as diagnostic, t.ordinal, t.state, t.validity, t.reason,
                               t.state in ('done', 'failed') or t.phase is not null or t.started_at is not null as begun,
                               t.end_facts -> 'steady' ->> 'verdict' as steady,
                               t.finished_at, t.server_digest, t.fingerprint_hash, t.class_hash, t.agent_version, host.cpus is not null as cpus_known,
                               (select coalesce(json_object_agg(x.metric, json_build_object(
                                         'value', x.value, 'eligible', x.eligible, 'reason', x.reason)), '{}')
                                  from trial_metric x where x.trial_id = t.trial_id)::text as metrics
                          from trial t join run r using (run_id)
                        """ + HostCpusSql.join("t", "r") + """
                         where t.cell_id = :cell and not t.late and not t.cut_off
                         order by t.kind = 'diagnostic', t.ordinal, t.fencing desc, t.trial_id desc
                         limit :most
                        """)
                .bind("cell", cellId)
                .bind("most", MOST_TRIALS)
                .map(this::trial)
                .all()
                .collectList();
    }

    /** By metric; made where there are none yet. A series that once had a public run is public. */
    public Mono<Map<String, Series>> series(FinishedCell cell, List<CellSummary> numbers) {
        return database.sql("""
                        insert into series as old
                               (external_id, workspace_id, visibility, hidden, series_key, family_key, machine_id, server, variant,
                                concurrency_model, workload, scenario_key, collector, protocol, metric,
                                track_feature, track_vendor, track_arch)
                        select u.external_id, :workspace, :visibility,
                               (select r.hidden from run r where r.run_id = :run), u.series_key, u.family_key, :machine, :server, :variant,
                               :model, :workload, :scenario, :collector, :protocol, u.metric, :feature, :vendor, :arch
                          from unnest(:externals::text[], :keys::text[], :families::text[], :metrics::text[])
                               as u (external_id, series_key, family_key, metric)
                         order by u.series_key
                        on conflict on constraint series_key_uq do update
                           set visibility = case when old.visibility = 'public' then 'public' else excluded.visibility end,
                               hidden = excluded.hidden and old.visibility <> 'public'
                        returning metric, series_id, external_id
                        """)
                .bind("workspace", cell.workspaceId())
                .bind("visibility", cell.visibility().wire())
                .bind("run", cell.runId())
                .bind("machine", cell.machine().key())
                .bind("server", cell.server().name())
                .bind("variant", cell.server().variant())
                .bind("model", cell.server().model().wire())
                .bind("workload", cell.workload())
                .bind("scenario", cell.scenarioKey())
                .bind("collector", cell.settings().collector())
                .bind("protocol", cell.settings().protocol())
                .bind("feature", cell.track().feature())
                .bind("vendor", cell.track().vendor())
                .bind("arch", cell.track().architecture())
                .bind(
                        "externals",
                        numbers.stream()
                                .map(n -> ExternalId.random("ser").value())
                                .toArray(String[]::new))
                .bind("keys", numbers.stream().map(n -> n.key().series()).toArray(String[]::new))
                .bind("families", numbers.stream().map(n -> n.key().family()).toArray(String[]::new))
                .bind("metrics", numbers.stream().map(CellSummary::metric).toArray(String[]::new))
                .map(row ->
                        Map.entry(text(row, "metric"), new Series(number(row, "series_id"), text(row, "external_id"))))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /**
     * Replaces the points of a cell; one that there was already stays the same point, to which change points refer. Plan:
     * point_cell_uq, whose first column is the cell.
     */
    public Mono<Void> putPoints(
            FinishedCell cell, List<CellSummary> numbers, Map<String, Series> series, Shared shared) {
        List<PointRow> rows = numbers.stream()
                .map(n -> PointRow.of(n, Objects.requireNonNull(series.get(n.metric()), n.metric())))
                .toList();
        return database.sql("""
                        with kept as (
                          insert into point (workspace_id, series_id, run_id, cell_id, jdk_build_id, measured_at, trials, mean,
                                             low, high, trial_values, trial_ids, eligible, standing, reason,
                                             server_digest, fingerprint_hash, agent_version)
                          select :workspace, p."seriesId", :run, :cell, :build, :measured, cardinality(p."values"), p.mean,
                                 p.low, p.high, p."values", p."trialIds", p.eligible, :standing,
                                 nullif(concat_ws('; ', :reason::text, p.reason), ''), :digest, :fingerprint, :agent
                            from jsonb_to_recordset(:rows) as p
                                 ("seriesId" bigint, mean float8, low float8, high float8, "values" float8[],
                                  "trialIds" bigint[], eligible boolean, reason text)
                          on conflict on constraint point_cell_uq do update
                             set measured_at = excluded.measured_at, trials = excluded.trials, mean = excluded.mean,
                                 low = excluded.low, high = excluded.high, trial_values = excluded.trial_values,
                                 trial_ids = excluded.trial_ids, eligible = excluded.eligible,
                                 standing = excluded.standing, reason = excluded.reason,
                                 server_digest = excluded.server_digest, fingerprint_hash = excluded.fingerprint_hash,
                                 agent_version = excluded.agent_version
                          returning series_id
                        )
                        delete from point where cell_id = :cell and series_id not in (select series_id from kept)
                        """)
                .bind("workspace", cell.workspaceId())
                .bind("run", cell.runId())
                .bind("cell", cell.cellId())
                .bind("build", cell.track().jdkBuildId())
                .bind("measured", shared.measuredAt().atOffset(ZoneOffset.UTC))
                .bind("standing", shared.standing().standing().wire())
                .bind(
                        "reason",
                        Parameters.in(R2dbcType.VARCHAR, shared.standing().reason()))
                .bind("digest", shared.serverDigest())
                .bind("fingerprint", shared.fingerprintHash())
                .bind("agent", shared.agentVersion())
                .bind("rows", Json.of(json.writeValueAsString(rows)))
                .then();
    }

    /** Numbers go as JSON, since arrays of arrays of different lengths are none in SQL; a double survives it exactly. */
    record PointRow(
            long seriesId,
            double mean,
            @Nullable Double low,
            @Nullable Double high,
            List<Double> values,
            List<Long> trialIds,
            boolean eligible,
            @Nullable String reason) {

        static PointRow of(CellSummary n, Series series) {
            return new PointRow(
                    series.seriesId(), n.mean(), n.low(), n.high(), n.values(), n.trialIds(), n.eligible(), n.reason());
        }
    }

    private FinishedCell.Trial trial(Readable row) {
        return new FinishedCell.Trial(
                number(row, "trial_id"),
                flag(row, "diagnostic"),
                whole(row, "ordinal"),
                WireName.of(TrialState.class, text(row, "state")),
                WireName.orNull(Validity.class, textOrNull(row, "validity")),
                textOrNull(row, "reason"),
                flag(row, "begun"),
                WireName.orNull(Steadiness.class, textOrNull(row, "steady")),
                instantOrNull(row, "finished_at"),
                new FinishedCell.Provenance(
                        textOrNull(row, "server_digest"),
                        textOrNull(row, "fingerprint_hash"),
                        textOrNull(row, "class_hash"),
                        textOrNull(row, "agent_version"),
                        flag(row, "cpus_known")),
                json.readValue(text(row, "metrics"), METRICS));
    }

    private FinishedCell facts(Readable row, List<FinishedCell.Trial> trials) {
        return new FinishedCell(
                number(row, "cell_id"),
                number(row, "workspace_id"),
                number(row, "run_id"),
                WireName.of(Visibility.class, text(row, "visibility")),
                new FinishedCell.Host(
                        number(row, "machine_id"),
                        text(row, "machine"),
                        flag(row, "qualified"),
                        textOrNull(row, "placement"),
                        textOrNull(row, "class_hash"),
                        textOrNull(row, "class_label")),
                CellSql.server(row),
                new FinishedCell.UnderLoad(
                        text(row, "workload"),
                        text(row, "scenario_key"),
                        json.readValue(json(row, "load"), Load.class)),
                CellSql.settings(row),
                row.get("pilot", Integer.class),
                new FinishedCell.Track(
                        number(row, "jdk_build_id"),
                        whole(row, "feature"),
                        text(row, "vendor"),
                        text(row, "architecture")),
                trials);
    }
}
