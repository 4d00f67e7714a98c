package dev.loomboard.shift;

import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.cell.CellSql;
import dev.loomboard.cell.JdkSql;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.rollup.EndedTrial;
import dev.loomboard.rollup.RollupStore;
import dev.loomboard.rollup.StepPercentiles;
import dev.loomboard.rollup.TrialNumbers;
import dev.loomboard.scenario.Load;
import dev.loomboard.verdict.RunTrial;
import dev.loomboard.verdict.VerdictStore;
import io.r2dbc.spi.Readable;
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

/** Reads two cells with all their scored trials' histograms. */
@Repository
class CellDetailStore {

    private static final TypeReference<Map<String, String>> FLAGS = new TypeReference<>() {};
    private static final TypeReference<Map<String, Double>> COUNTS = new TypeReference<>() {};

    /** A matrix has at most a hundred scored trials a cell; a second lease may have made some of them again. */
    private static final int MOST_TRIALS = 400;

    /** Plan: cell_external_id_uq, primary keys, trial_cell_ix, trial_metric_pk. */
    static final String CELLS = """
            select c.cell_id, c.external_id as cell, r.external_id as run, """ + CellSql.server("c") + """
                   , c.scenario_key,
                   c.declared_delay_ms, c.load ->> 'profile' as profile, c.collector, c.jvm_options, c.limits, r.spec ->> 'protocol' as protocol,
                   """ + CellSql.PILOT + ", " + JdkSql.COLUMNS + """
                   , m.name as machine_name, d.external_id as diagnostic, ret.retracted,
                   coalesce((select t.end_facts -> 'flags' from trial t
                      where t.cell_id = c.cell_id and t.kind = 'scored' and t.state = 'done' and not t.late
                      order by t.ordinal, t.trial_id limit 1), '{}') as flags,
                   coalesce((select jsonb_object_agg(q.metric, q.value) from trial_metric q
                      where q.trial_id = d.trial_id and q.metric = any(:metrics)), '{}') as counts
              from cell c join run r using (run_id) join machine m using (machine_id) join jdk_build j using (jdk_build_id)
              left join lateral (select t.trial_id, t.external_id from trial t
                     where t.cell_id = c.cell_id and t.kind = 'diagnostic' and t.state = 'done' and not t.late
                     order by t.ordinal, t.trial_id limit 1) d on true
            """
            + RetractedSql.join(new RetractedSql.Result(
                    "c.server",
                    "select t.server_digest from trial t where t.cell_id = c.cell_id",
                    "c.workload",
                    "c.scenario_key",
                    "m.machine_id",
                    "c.run_id"))
            + """
             where c.external_id = any(:cells::text[]) and visible(r)
             limit 2
            """;

    /** The newest of each scored trial, with its only step. Plan: trial_cell_ix, step_ordinal_uq. */
    static final String TRIALS = """
            select distinct on (t.cell_id, t.ordinal)
                   t.cell_id, t.ordinal, t.fencing, t.state, t.validity, t.end_facts -> 'steady' ->> 'verdict' as steady,
                   t.server_digest, t.fingerprint_hash, s.percentiles,
                   s.offered, s.completed, s.service, s.service_failed, s.response, s.response_failed, s.excess, s.below_delay,
                   """ + RollupStore.DEADLINE + """
                     as deadline_ns
              from trial t join run r using (run_id) left join step s on s.trial_id = t.trial_id and s.ordinal = 0
             where t.cell_id = any(:cells::bigint[]) and t.kind = 'scored' and not t.late and not t.cut_off
             order by t.cell_id, t.ordinal, t.fencing desc, t.trial_id desc
             limit :most
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    CellDetailStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * A trial as it is stored: its histogram is decoded where there is time for it.
     *
     * @param trial with the share of its hits that failed as its only metric
     * @param hits null: none was kept
     */
    record Stored(RunTrial trial, @Nullable String percentiles, EndedTrial.@Nullable Hits hits, long deadlineNanos) {
        /** As its step was rolled up. */
        StepPercentiles judged() {
            return percentiles == null ? StepPercentiles.NONE : StoredJson.read(percentiles, StepPercentiles.class);
        }
    }

    /**
     * Those of the two that the caller may see.
     *
     * @param counted metrics of a diagnostic trial
     */
    Mono<List<CellDetail>> cells(String a, String b, List<String> counted, Caller caller) {
        return VisibleSql.query(database, caller, CELLS)
                .bind("cells", new String[] {a, b})
                .bind("metrics", counted.toArray(String[]::new))
                .map(this::cell)
                .all()
                .collectList();
    }

    Flux<Stored> trials(List<Long> cells) {
        return database.sql(TRIALS)
                .bind("cells", cells.toArray(Long[]::new))
                .bind("most", MOST_TRIALS)
                .map(CellDetailStore::trial)
                .all();
    }

    private CellDetail cell(Readable row) {
        return new CellDetail(
                new CellDetail.Key(number(row, "cell_id")),
                text(row, "cell"),
                text(row, "run"),
                CellSql.server(row),
                new CellDetail.Work(
                        text(row, "scenario_key"),
                        Objects.requireNonNull(row.get("declared_delay_ms", Double.class)),
                        WireName.of(Load.Profile.class, text(row, "profile"))),
                CellSql.settings(row),
                JdkSql.read(row),
                text(row, "machine_name"),
                new CellDetail.Evidence(
                        json.readValue(json(row, "flags"), FLAGS),
                        textOrNull(row, "diagnostic"),
                        json.readValue(json(row, "counts"), COUNTS)),
                row.get("pilot", Integer.class),
                RetractedSql.read(row));
    }

    private static Stored trial(Readable row) {
        Long offered = row.get("offered", Long.class);
        double failed = offered == null || offered == 0 ? 0 : (double) (offered - number(row, "completed")) / offered;
        byte[] service = row.get("service", byte[].class);
        return new Stored(
                VerdictStore.trial(row, Map.of(TrialNumbers.FAILED, new RunTrial.Value(failed, true, null))),
                row.get("percentiles") == null ? null : json(row, "percentiles"),
                // A histogram that is no longer kept has no bytes.
                service == null || service.length == 0 ? null : RollupStore.hits(row),
                number(row, "deadline_ns"));
    }
}
