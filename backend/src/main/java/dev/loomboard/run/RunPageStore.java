package dev.loomboard.run;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.RetractedSql;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.Scenario;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What the pages of runs read. A run is three queries: itself, its cells with their trials, its trials' numbers. */
@Repository
class RunPageStore {

    static final int PAGE = 30;

    private static final int MOST_TRIALS = 5000;
    private static final TypeReference<List<String>> STRINGS = new TypeReference<>() {};

    private final DatabaseClient database;
    private final JsonMapper json;

    RunPageStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * One page and one row more. Plan: run_workspace_created_ix per workspace, trial_run_ix for the counts of 31 runs.
     *
     * @param before runs made before this
     */
    Mono<List<RunListPage.Row>> list(Caller caller, Instant before) {
        return VisibleSql.query(database, caller, """
                        select r.external_id, w.slug as workspace, r.title, r.state, r.visibility, m.slug as machine_slug,
                               m.name as machine_name, r.created_at, r.finished_at,
                               c.trials, c.done, c.invalid, c.failed, c.aborted
                          from run r join workspace w using (workspace_id) join machine m on m.machine_id = r.machine_id
                          cross join lateral (
                            select count(*)::int as trials,
                                   count(*) filter (where t.state = 'done' and t.validity is distinct from 'invalid')::int as done,
                                   count(*) filter (where t.state = 'done' and t.validity = 'invalid')::int as invalid,
                                   count(*) filter (where t.state = 'failed')::int as failed,
                                   count(*) filter (where t.state = 'aborted')::int as aborted
                              from trial t
                             where t.run_id = r.run_id and (t.fencing = r.fencing or t.state in ('done', 'failed', 'aborted'))) c
                         where visible(r) and r.created_at < :before
                         order by r.created_at desc limit :most
                        """)
                .bind("before", before.atOffset(ZoneOffset.UTC))
                .bind("most", PAGE + 1)
                .map(row -> new RunListPage.Row(
                        text(row, "external_id"),
                        text(row, "workspace"),
                        text(row, "title"),
                        text(row, "state"),
                        text(row, "visibility"),
                        text(row, "machine_slug"),
                        text(row, "machine_name"),
                        instant(row, "created_at"),
                        instantOrNull(row, "finished_at"),
                        whole(row, "trials"),
                        whole(row, "done"),
                        whole(row, "invalid"),
                        whole(row, "failed"),
                        whole(row, "aborted")))
                .all()
                .collectList();
    }

    /** Empty when there is none, or the caller may not see it. */
    Mono<RunView> find(Caller caller, String id) {
        return VisibleSql.query(database, caller, """
                        select r.run_id, r.external_id, r.workspace_id, w.slug as workspace, r.title, r.state, r.visibility,
                               x.slug as matrix_slug, x.title as matrix_title, m.slug as machine_slug, m.name as machine_name,
                               s.title as schedule, s.slug as schedule_slug, coalesce(r.spec->>'protocol', '') as protocol,
                               r.follow_up, r.planned_trials, r.planned_seconds,
                               (select c.external_id from bisection_step t join bisection b using (bisection_id)
                                  join change_point c using (change_point_id) where t.run_id = r.run_id) as bisects,
                               r.failure, r.cancel_requested_at is not null as cancelling, r.attempts, r.created_at,
                               r.started_at, r.finished_at, r.progress, r.notices
                          from run r join workspace w using (workspace_id)
                          join matrix x on x.matrix_id = r.matrix_id join machine m on m.machine_id = r.machine_id
                          left join schedule s on s.schedule_id = r.schedule_id
                         where r.external_id = :id and visible(r)
                        """)
                .bind("id", id)
                .map(this::head)
                .one()
                .flatMap(head -> Mono.zip(cells(head.key()), numbers(head.key()))
                        .map(both -> head.with(assemble(both.getT1(), both.getT2()))));
    }

    private Mono<List<CellRow>> cells(long run) {
        return database.sql(
                        """
                        select c.external_id as cell, c.ordinal as cell_ordinal, c.scenario_key, c.server, c.variant, c.concurrency_model, c.jvm_options, c.limits,
                               j.slug, j.vendor, j.runtime_version, j.feature, j.availability, j.architecture, j.lineage_hash,
                               t.external_id as trial, t.kind, t.ordinal, t.state, t.phase, t.validity, t.reason, t.late, ret.retracted
                          from cell c join run r on r.run_id = c.run_id join jdk_build j on j.jdk_build_id = c.jdk_build_id
                          left join trial t on t.cell_id = c.cell_id
                               and (t.fencing = r.fencing or t.state in ('done', 'failed', 'aborted'))
                        """ + RetractedSql.join("c.server", "t.server_digest", "c.workload", "c.scenario_key") + """
                         where c.run_id = :run order by c.ordinal, t.position limit :most
                        """)
                .bind("run", run)
                .bind("most", MOST_TRIALS)
                .map(RunPageStore::cell)
                .all()
                .collectList();
    }

    /** By trial, then by metric. Plan: trial_run_ix, then the key of trial_metric. */
    private Mono<Map<String, Map<String, MetricReading>>> numbers(long run) {
        return database.sql("""
                        select t.external_id as trial, v.metric, v.value, v.eligible, v.reason
                          from trial t join trial_metric v on v.trial_id = t.trial_id
                         where t.run_id = :run and t.kind = 'scored' and v.metric = any(:metrics)
                        """)
                .bind("run", run)
                .bind("metrics", RunPage.COLUMNS.toArray(String[]::new))
                .map(row -> new Number(
                        text(row, "trial"),
                        text(row, "metric"),
                        new MetricReading(
                                Objects.requireNonNull(row.get("value", Double.class)),
                                null,
                                null,
                                flag(row, "eligible"),
                                textOrNull(row, "reason"),
                                null)))
                .all()
                .collect(
                        LinkedHashMap::new,
                        (all, n) -> all.computeIfAbsent(n.trial(), t -> new LinkedHashMap<>())
                                .put(n.metric(), n.reading()));
    }

    private record Number(String trial, String metric, MetricReading reading) {}

    private record Head(long key, RunView run) {
        RunView with(List<RunView.Cell> cells) {
            return new RunView(
                    run.id(),
                    run.workspaceId(),
                    run.workspace(),
                    run.title(),
                    run.state(),
                    run.visibility(),
                    run.matrixSlug(),
                    run.matrixTitle(),
                    run.machineSlug(),
                    run.machineName(),
                    run.schedule(),
                    run.scheduleSlug(),
                    run.protocol(),
                    run.followUp(),
                    run.bisects(),
                    run.plannedTrials(),
                    run.plannedSeconds(),
                    run.failure(),
                    run.cancelRequested(),
                    run.attempts(),
                    run.createdAt(),
                    run.startedAt(),
                    run.finishedAt(),
                    run.progress(),
                    run.notices(),
                    cells);
        }
    }

    private record CellRow(RunView.Cell cell, RunView.@Nullable Trial trial) {}

    private Head head(Readable row) {
        return new Head(
                number(row, "run_id"),
                new RunView(
                        text(row, "external_id"),
                        new WorkspaceId(number(row, "workspace_id")),
                        text(row, "workspace"),
                        text(row, "title"),
                        text(row, "state"),
                        text(row, "visibility"),
                        text(row, "matrix_slug"),
                        text(row, "matrix_title"),
                        text(row, "machine_slug"),
                        text(row, "machine_name"),
                        textOrNull(row, "schedule"),
                        textOrNull(row, "schedule_slug"),
                        text(row, "protocol"),
                        flag(row, "follow_up"),
                        textOrNull(row, "bisects"),
                        row.get("planned_trials", Integer.class),
                        row.get("planned_seconds", Double.class),
                        textOrNull(row, "failure"),
                        flag(row, "cancelling"),
                        whole(row, "attempts"),
                        instant(row, "created_at"),
                        instantOrNull(row, "started_at"),
                        instantOrNull(row, "finished_at"),
                        json.readValue(json(row, "progress"), RunView.Told.class),
                        json.readValue(json(row, "notices"), STRINGS),
                        List.of()));
    }

    private static CellRow cell(Readable row) {
        Jdk jdk = JdkStore.shown(row);
        RunView.Cell cell = new RunView.Cell(
                text(row, "cell"),
                whole(row, "cell_ordinal"),
                Scenario.of(text(row, "scenario_key")),
                text(row, "server"),
                text(row, "variant"),
                text(row, "concurrency_model"),
                texts(row, "jvm_options"),
                Limits.of(json(row, "limits")),
                jdk,
                List.of());
        String trial = textOrNull(row, "trial");
        return new CellRow(
                cell,
                trial == null
                        ? null
                        : new RunView.Trial(
                                trial,
                                text(row, "kind"),
                                whole(row, "ordinal"),
                                text(row, "state"),
                                textOrNull(row, "phase"),
                                textOrNull(row, "validity"),
                                textOrNull(row, "reason"),
                                flag(row, "late"),
                                RetractedSql.read(row),
                                Map.of()));
    }

    private static List<RunView.Cell> assemble(List<CellRow> rows, Map<String, Map<String, MetricReading>> numbers) {
        Map<String, RunView.Cell> cells = new LinkedHashMap<>();
        Map<String, List<RunView.Trial>> trials = new LinkedHashMap<>();
        for (CellRow row : rows) {
            cells.putIfAbsent(row.cell().id(), row.cell());
            RunView.Trial t = row.trial();
            if (t != null) {
                trials.computeIfAbsent(row.cell().id(), id -> new ArrayList<>())
                        .add(new RunView.Trial(
                                t.id(),
                                t.kind(),
                                t.ordinal(),
                                t.state(),
                                t.phase(),
                                t.validity(),
                                t.reason(),
                                t.late(),
                                t.retracted(),
                                numbers.getOrDefault(t.id(), Map.of())));
            }
        }
        return cells.values().stream()
                .map(c -> new RunView.Cell(
                        c.id(),
                        c.ordinal(),
                        c.scenario(),
                        c.server(),
                        c.variant(),
                        c.concurrencyModel(),
                        c.jvmOptions(),
                        c.limits(),
                        c.jdk(),
                        List.copyOf(trials.getOrDefault(c.id(), List.of()))))
                .toList();
    }
}
