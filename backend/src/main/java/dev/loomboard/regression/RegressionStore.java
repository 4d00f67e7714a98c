package dev.loomboard.regression;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.cell.JdkSql;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.history.ChangeViewStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.stats.change.ControlComparison;
import dev.loomboard.verdict.VerdictStore;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads changes. One is as visible as its series and the run that first measured its new level. */
@Repository
public class RegressionStore {

    private static final String SELECT =
            """
            select cp.change_point_id, cp.workspace_id, cp.external_id, cp.status, cp.direction, cp.confirmed_by, cp.standing,
                   cp.triage, o.external_id as owner_id, o.display_name as owner_name,
                   s.server, s.variant, s.concurrency_model, s.scenario_key, s.collector, s.protocol, s.metric,
                   s.external_id as series, coalesce(c.jvm_options, '{}') as jvm_options, coalesce(c.limits, '{}') as limits,
                   w.slug as workspace, m.slug as machine, m.name as machine_name, m.reruns, r.external_id as run,
                   """ + JdkSql.columns("g", "good") + ", " + JdkSql.columns("n", "new") + """
                   , cp.before, cp.after, cp.p as detector_p, cp.history_at, cp.history_change, cp.history_p, cp.history_reason,
                   rr.external_id as rerun, rr.state as rerun_state, rr.planned_trials, rr.planned_seconds,
                   cp.control_at, cp.controls, h.slug as control_build,
                   (select array_agg(j.slug order by u.nr) from unnest(cp.control_builds) with ordinality u (id, nr)
                      join jdk_build j on j.jdk_build_id = u.id) as control_builds, cp.control_before, cp.control_after, cp.control_change,
                   cp.control_low, cp.control_high, cp.control_moved, cp.against_change, cp.against_low, cp.against_high,
                   cp.against_left,
                   cp.screen_change, cp.screen_chance, cp.screen_nights, cp.screen_before, sb.slug as screen_control,
                   cp.rerun_reason, cp.rerun_further, cp.rerun_awaits_since is not null as rerun_awaits, cp.methodology, cp.detected_at, cp.decided_at,
                   coalesce(b.jdk_build_id = cp.jdk_build_id, false) as turned,
                   v.family_size, """ + VerdictStore.OUTCOME + """
            , ret.retracted
            """;

    /** Of what was suspected, and of the rerun that answered. Plan: point_cell_uq. */
    private static final String DIGESTS =
            "p.server_digest, (select q.server_digest from point q where q.cell_id = v.baseline_cell_id limit 1)";

    private static final String FROM = """
              from change_point cp
              join series s on s.series_id = cp.series_id
              join machine m on m.machine_id = s.machine_id
              join workspace w on w.workspace_id = cp.workspace_id
              join jdk_build g on g.jdk_build_id = cp.good_build_id
              join jdk_build n on n.jdk_build_id = cp.jdk_build_id
              left join point p on p.point_id = cp.point_id
              left join run r on r.run_id = p.run_id
              left join jdk_build sb on sb.jdk_build_id = r.control_build_id
              left join cell c on c.cell_id = p.cell_id
              left join run rr on rr.run_id = cp.rerun_run_id and visible(rr)
              left join comparison v on v.comparison_id = cp.rerun_comparison_id and v.run_id = rr.run_id
              left join cell b on b.cell_id = v.baseline_cell_id
              left join jdk_build h on h.jdk_build_id = cp.control_build_id
              left join account o on o.account_id = cp.triage_owner_id
            """
            + RetractedSql.join(new RetractedSql.Result(
                    "s.server", DIGESTS, "s.workload", "s.scenario_key", "s.machine_id", "p.run_id, cp.rerun_run_id"))
            + """
             where visible(cp: s, r)
            """;

    /** Plan: change_point_status_ix backwards (of one build or rerun their indices), primary keys. */
    static final String LIST = list("cp.status = :status and ret.retracted is null");

    /** Plan: one pass over the changes, which are few beside points. */
    static final String RETRACTED = list("ret.retracted is not null");

    private static String list(String which) {
        return SELECT + FROM + " and " + which + """

               and (:direction = '' or cp.direction = :direction)
               and (:triage = '' or cp.triage = :triage)
               and (:machine = '' or m.slug = :machine)
               and (:jdk = '' or n.slug = :jdk)
               and (:rerun = '' or rr.external_id = :rerun)
             order by cp.detected_at desc, cp.change_point_id desc
             limit :most
            """;
    }

    /** Plan: change_point_confirmed_ix backwards, primary keys. */
    static final String FEED = SELECT + FROM + """
               and cp.status = 'confirmed' and cp.direction = 'worse'
             order by cp.decided_at desc, cp.change_point_id desc
             limit :most
            """;

    /** Plan: change_point_external_id_uq, primary keys. */
    static final String ONE = SELECT + FROM + " and cp.external_id = :id";

    /** Plan: as {@link #ONE}, of each. */
    static final String THESE =
            SELECT + FROM + " and cp.external_id = any(:ids) order by cp.change_point_id limit :most";

    private final DatabaseClient database;

    RegressionStore(DatabaseClient database) {
        this.database = database;
    }

    /** Newest first, one more than are wanted when there are more. */
    public Flux<Regression> list(Caller caller, RegressionFilter filter, RegressionFilter.Kind kind) {
        DatabaseClient.GenericExecuteSpec query =
                VisibleSql.query(database, caller, kind.status() == null ? RETRACTED : LIST);
        return (kind.status() == null ? query : query.bind("status", wire(kind.status())))
                .bind("direction", wire(kind.direction()))
                .bind("triage", wire(kind.triage()))
                .bind("machine", Objects.requireNonNullElse(filter.machine(), ""))
                .bind("jdk", Objects.requireNonNullElse(filter.jdk(), ""))
                .bind("rerun", Objects.requireNonNullElse(filter.rerun(), ""))
                .bind("most", filter.limit() + 1)
                .map(RegressionStore::regression)
                .all();
    }

    /** The newest confirmed regressions. */
    public Flux<Regression> feed(Caller caller, int most) {
        return VisibleSql.query(database, caller, FEED)
                .bind("most", most)
                .map(RegressionStore::regression)
                .all();
    }

    /** Empty when there is none, or the caller may not see it. */
    public Mono<Regression> find(Caller caller, String id) {
        return VisibleSql.query(database, caller, ONE)
                .bind("id", id)
                .map(RegressionStore::regression)
                .one();
    }

    /**
     * As the workspace's members see them, in the order in which they were found.
     *
     * @param ids those that are not there are left out
     */
    public Flux<Regression> these(WorkspaceId workspace, List<String> ids) {
        return VisibleSql.query(database, Set.of(workspace), THESE)
                .bind("ids", ids.toArray(String[]::new))
                .bind("most", ids.size())
                .map(RegressionStore::regression)
                .all();
    }

    private static Regression regression(Readable row) {
        return new Regression(
                new Regression.Internals(
                        number(row, "change_point_id"),
                        new WorkspaceId(number(row, "workspace_id")),
                        textOrNull(row, "owner_id"),
                        flag(row, "reruns")),
                text(row, "external_id"),
                ChangeViewStore.state(row),
                new Regression.Triaged(
                        WireName.of(TriageState.class, text(row, "triage")), textOrNull(row, "owner_name")),
                cell(row),
                text(row, "metric"),
                text(row, "series"),
                new Regression.Shift(
                        JdkSql.read(row, "good"),
                        JdkSql.read(row, "new"),
                        textOrNull(row, "run"),
                        real(row, "before"),
                        real(row, "after"),
                        real(row, "detector_p")),
                new Regression.Evidence(
                        look(row),
                        rerun(row),
                        textOrNull(row, "rerun_reason"),
                        row.get("rerun_further", Integer.class),
                        flag(row, "rerun_awaits"),
                        control(row),
                        screened(row)),
                RetractedSql.read(row),
                text(row, "methodology"));
    }

    private static Regression.Cell cell(Readable row) {
        return new Regression.Cell(
                new ServerVariant(
                        text(row, "server"),
                        text(row, "variant"),
                        WireName.of(ConcurrencyModel.class, text(row, "concurrency_model")),
                        null),
                text(row, "scenario_key"),
                new CellSettings(
                        text(row, "collector"),
                        texts(row, "jvm_options"),
                        Limits.of(json(row, "limits")),
                        text(row, "protocol")),
                text(row, "workspace"),
                text(row, "machine"),
                text(row, "machine_name"));
    }

    private static Regression.@Nullable Look look(Readable row) {
        Instant at = instantOrNull(row, "history_at");
        return at == null
                ? null
                : new Regression.Look(
                        at,
                        row.get("history_change", Double.class),
                        row.get("history_p", Double.class),
                        textOrNull(row, "history_reason"));
    }

    private static @Nullable HostControl control(Readable row) {
        Instant at = instantOrNull(row, "control_at");
        return at == null ? null : new HostControl(at, whole(row, "controls"), beside(row));
    }

    private static @Nullable Screened screened(Readable row) {
        Double change = row.get("screen_change", Double.class);
        return change == null
                ? null
                : new Screened(
                        change,
                        real(row, "screen_chance"),
                        whole(row, "screen_nights"),
                        flag(row, "screen_before"),
                        textOrNull(row, "screen_control"));
    }

    private static HostControl.@Nullable Beside beside(Readable row) {
        String build = textOrNull(row, "control_build");
        String[] builds = row.get("control_builds", String[].class);
        return build == null
                ? null
                : new HostControl.Beside(
                        build,
                        builds == null ? null : List.of(builds),
                        whole(row, "control_before"),
                        whole(row, "control_after"),
                        real(row, "control_change"),
                        real(row, "control_low"),
                        real(row, "control_high"),
                        ControlComparison.Moved.of(text(row, "control_moved")),
                        real(row, "against_change"),
                        real(row, "against_low"),
                        real(row, "against_high"),
                        ControlComparison.Left.of(text(row, "against_left")));
    }

    private static Regression.@Nullable Rerun rerun(Readable row) {
        String run = textOrNull(row, "rerun");
        if (run == null) {
            return null;
        }
        var outcome = VerdictStore.outcome(row);
        return new Regression.Rerun(
                run,
                WireName.of(RunState.class, text(row, "rerun_state")),
                row.get("planned_trials", Integer.class),
                row.get("planned_seconds", Double.class),
                row.get("family_size", Integer.class),
                outcome == null || !flag(row, "turned") ? outcome : outcome.turned());
    }

    /** Empty: any. */
    private static String wire(@Nullable WireName of) {
        return of == null ? "" : of.wire();
    }

    private static double real(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Double.class), column);
    }
}
