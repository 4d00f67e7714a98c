package dev.loomboard.runpages;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.cell.ImportedSql;
import dev.loomboard.cell.JdkSql;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.machine.QueueStore;
import dev.loomboard.matrix.MatrixFile;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.measurement.Phase;
import dev.loomboard.measurement.Steadiness;
import dev.loomboard.measurement.Validity;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.run.Progress;
import dev.loomboard.run.RunMaker;
import dev.loomboard.run.StoppedSql;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.ScenarioText;
import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What the pages of runs read. A run is five queries: itself, its cells with their trials, its trials' numbers, its cells' means, its mixes' operations. */
@Repository
class RunPageStore {

    private static final int MOST_TRIALS = 5000;
    private static final TypeReference<List<String>> STRINGS = new TypeReference<>() {};

    private final DatabaseClient database;
    private final QueueStore queues;
    private final RunOperationsStore operations;
    private final JsonMapper json;

    RunPageStore(DatabaseClient database, QueueStore queues, RunOperationsStore operations, JsonMapper json) {
        this.database = database;
        this.queues = queues;
        this.operations = operations;
        this.json = json;
    }

    /** Empty when there is none, or the caller may not see it. */
    Mono<RunDetail> find(Caller caller, String id) {
        return VisibleSql.query(
                        database,
                        caller,
                        """
                        select r.run_id, r.external_id, r.machine_id, r.workspace_id, r.created_by, w.slug as workspace, r.title,
                               r.state, r.visibility, x.slug as matrix_slug, x.title as matrix_title, m.slug as machine_slug, m.name as machine_name,
                               s.title as schedule, s.slug as schedule_slug, b.slug as control, r.screened_series,
                               r.screened_rises,
                               (select count(*)::int from change_point c where c.rerun_run_id = r.run_id and c.screen_change is not null) as raised, coalesce(r.spec->>'protocol', '') as protocol,
                               r.follow_up, r.planned_trials, r.planned_seconds, r.order_seed,
                               (select c.external_id from bisection_step t join bisection b using (bisection_id)
                                  join change_point c using (change_point_id) where t.run_id = r.run_id) as bisects,
                               r.failure, r.cancel_requested_at is not null as cancelling, r.attempts, r.created_at,
                               r.started_at, r.finished_at, r.progress, r.notices,
                        """ + ImportedSql.COLUMNS + ", " + StoppedSql.COLUMNS + """
                          from run r join workspace w using (workspace_id)
                          join matrix x on x.matrix_id = r.matrix_id join machine m on m.machine_id = r.machine_id
                        """ + ImportedSql.JOIN + StoppedSql.JOIN
                                + """
                          left join schedule s on s.schedule_id = r.schedule_id
                          left join jdk_build b on b.jdk_build_id = r.control_build_id
                         where r.external_id = :id and visible(r)
                        """)
                .bind("id", id)
                .map(this::head)
                .one()
                .flatMap(head -> Mono.zip(numbers(head.key()), means(head.key()))
                        .flatMap(both -> cells(head.key(), both.getT1(), both.getT2()))
                        .zipWith(
                                operations.of(head.key()),
                                (cells, found) -> cells.stream()
                                        .map(cell -> cell.with(found))
                                        .toList())
                        .zipWith(place(caller, head))
                        .map(both -> new RunDetail(head.run(), both.getT2().orElse(null), both.getT1())));
    }

    /** What a run was made of, as a file; empty as above. */
    Mono<String> matrix(Caller caller, String id) {
        return VisibleSql.query(
                        database,
                        caller,
                        "select r.spec::text as spec from run r where r.external_id = :id and visible(r)")
                .bind("id", id)
                .map(row -> MatrixFile.text(json.readValue(text(row, "spec"), MatrixSpec.class), json))
                .one();
    }

    private Mono<Optional<QueuePlace>> place(Caller caller, Head head) {
        return head.run().state() == RunState.QUEUED
                ? queues.of(caller, head.machine())
                        .map(queue -> Optional.ofNullable(
                                QueuePlace.of(queue, head.run().id())))
                : Mono.just(Optional.empty());
    }

    private Mono<List<RunDetail.Cell>> cells(
            long run, Map<String, Map<String, MetricReading>> readings, Map<String, Map<String, MetricReading>> means) {
        return database.sql("""
                        select c.external_id as cell, c.ordinal as cell_ordinal, c.scenario_key, c.server, c.variant, c.concurrency_model, c.collector, c.jvm_options, c.limits,
                               """ + JdkSql.COLUMNS + """
                               , t.external_id as trial, t.kind, t.ordinal, t.state, t.phase, t.validity, t.end_facts -> 'steady' ->> 'verdict' as steady, t.reason, t.late,
                               t.cut_off or exists (
                                 select from trial n
                                  where n.cell_id = t.cell_id and n.kind = t.kind and n.ordinal = t.ordinal and n.fencing > t.fencing
                                    and not n.late and not n.cut_off) as replaced, ret.retracted
                          from cell c join run r on r.run_id = c.run_id join jdk_build j on j.jdk_build_id = c.jdk_build_id
                          left join trial t on t.cell_id = c.cell_id
                               and (t.fencing = r.fencing or t.state in ('done', 'failed', 'aborted'))
                        """
                        + RetractedSql.join(new RetractedSql.Result(
                                "c.server",
                                "t.server_digest",
                                "c.workload",
                                "c.scenario_key",
                                "r.machine_id",
                                "c.run_id"))
                        + """
                         where c.run_id = :run order by c.ordinal, t.fencing, t.position limit :most
                        """)
                .bind("run", run)
                .bind("most", MOST_TRIALS)
                .map(row -> new CellRow(cell(row, means), trial(row, readings)))
                .all()
                .collect(LinkedHashMap<String, RunDetail.Cell>::new, RunPageStore::add)
                .map(cells -> List.copyOf(cells.values()));
    }

    /** By trial, then by metric. Plan: trial_run_ix, then the key of trial_metric. */
    private Mono<Map<String, Map<String, MetricReading>>> numbers(long run) {
        return readings(database.sql("""
                        select t.external_id as of_id, v.metric, v.value, null::float8 as low, null::float8 as high, v.eligible, v.reason,
                               null::text as series
                          from trial t join trial_metric v on v.trial_id = t.trial_id
                         where t.run_id = :run and t.kind = 'scored' and v.metric = any(:metrics)
                        """), run);
    }

    /** By cell, then by metric. Plan: cell_run_ordinal_uq, point_cell_uq, series_pk. */
    private Mono<Map<String, Map<String, MetricReading>>> means(long run) {
        return readings(database.sql("""
                        select c.external_id as of_id, s.metric, p.mean as value, p.low, p.high,
                               p.eligible and p.standing <> 'unranked' as eligible, p.reason, s.external_id as series
                          from cell c join point p on p.cell_id = c.cell_id join series s on s.series_id = p.series_id
                         where c.run_id = :run and s.metric = any(:metrics)
                        """), run);
    }

    private static Mono<Map<String, Map<String, MetricReading>>> readings(
            DatabaseClient.GenericExecuteSpec query, long run) {
        return query.bind("run", run)
                .bind("metrics", RunPage.METRICS.toArray(String[]::new))
                .map(row -> new Number(
                        text(row, "of_id"),
                        text(row, "metric"),
                        new MetricReading(
                                Objects.requireNonNull(row.get("value", Double.class)),
                                row.get("low", Double.class),
                                row.get("high", Double.class),
                                flag(row, "eligible"),
                                textOrNull(row, "reason"),
                                textOrNull(row, "series"))))
                .all()
                .collect(
                        LinkedHashMap::new,
                        (all, n) -> all.computeIfAbsent(n.of(), id -> new LinkedHashMap<>())
                                .put(n.metric(), n.reading()));
    }

    /** @param of external id of a trial or a cell */
    private record Number(String of, String metric, MetricReading reading) {}

    private record Head(long key, MachineId machine, RunView run) {}

    /** @param trial null: the run is not planned yet */
    private record CellRow(RunDetail.Cell cell, RunDetail.@Nullable Trial trial) {}

    private static void add(Map<String, RunDetail.Cell> cells, CellRow row) {
        RunDetail.Cell cell = cells.computeIfAbsent(row.cell().id(), id -> row.cell());
        if (row.trial() != null) {
            cell.trials().add(row.trial());
        }
    }

    private Head head(Readable row) {
        return new Head(
                number(row, "run_id"),
                new MachineId(number(row, "machine_id")),
                new RunView(
                        text(row, "external_id"),
                        new RunMaker(new WorkspaceId(number(row, "workspace_id")), text(row, "created_by")),
                        text(row, "title"),
                        WireName.of(Visibility.class, text(row, "visibility")),
                        new RunView.Origin(
                                text(row, "workspace"),
                                text(row, "matrix_slug"),
                                text(row, "matrix_title"),
                                text(row, "machine_slug"),
                                text(row, "machine_name"),
                                textOrNull(row, "schedule"),
                                textOrNull(row, "schedule_slug"),
                                text(row, "protocol"),
                                control(row),
                                flag(row, "follow_up"),
                                whole(row, "raised"),
                                textOrNull(row, "bisects")),
                        new RunView.Planned(
                                row.get("planned_trials", Integer.class),
                                row.get("planned_seconds", Double.class),
                                row.get("order_seed", Long.class)),
                        WireName.of(RunState.class, text(row, "state")),
                        new RunView.Attempts(
                                flag(row, "cancelling"),
                                whole(row, "attempts"),
                                textOrNull(row, "failure"),
                                StoppedSql.read(row)),
                        times(row),
                        json.readValue(json(row, "progress"), Progress.class),
                        ImportedSql.read(row),
                        json.readValue(json(row, "notices"), STRINGS)));
    }

    private static RunView.@Nullable Control control(Readable row) {
        String build = textOrNull(row, "control");
        return build == null
                ? null
                : new RunView.Control(
                        build, row.get("screened_series", Integer.class), row.get("screened_rises", Integer.class));
    }

    static RunTimes times(Readable row) {
        return new RunTimes(
                instant(row, "created_at"), instantOrNull(row, "started_at"), instantOrNull(row, "finished_at"));
    }

    private static RunDetail.Cell cell(Readable row, Map<String, Map<String, MetricReading>> means) {
        String id = text(row, "cell");
        return new RunDetail.Cell(
                id,
                whole(row, "cell_ordinal"),
                ScenarioText.of(text(row, "scenario_key")),
                new ServerVariant(
                        text(row, "server"),
                        text(row, "variant"),
                        WireName.of(ConcurrencyModel.class, text(row, "concurrency_model")),
                        null),
                text(row, "collector"),
                texts(row, "jvm_options"),
                Limits.of(json(row, "limits")),
                JdkSql.read(row),
                new ArrayList<>(),
                means.getOrDefault(id, Map.of()),
                List.of());
    }

    private static RunDetail.@Nullable Trial trial(Readable row, Map<String, Map<String, MetricReading>> readings) {
        String id = textOrNull(row, "trial");
        return id == null
                ? null
                : new RunDetail.Trial(
                        id,
                        TrialKind.of(text(row, "kind")),
                        whole(row, "ordinal"),
                        WireName.of(TrialState.class, text(row, "state")),
                        phase(row),
                        validity(row),
                        WireName.orNull(Steadiness.class, textOrNull(row, "steady")),
                        textOrNull(row, "reason"),
                        flag(row, "late"),
                        flag(row, "replaced"),
                        RetractedSql.read(row),
                        readings.getOrDefault(id, Map.of()));
    }

    static @Nullable Phase phase(Readable row) {
        String phase = textOrNull(row, "phase");
        return phase == null ? null : Phase.valueOf(phase.toUpperCase(Locale.ROOT));
    }

    static @Nullable Validity validity(Readable row) {
        String validity = textOrNull(row, "validity");
        return validity == null ? null : Validity.valueOf(validity.toUpperCase(Locale.ROOT));
    }
}
