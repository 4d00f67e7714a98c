package dev.loomboard.bisection;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.regression.RerunStore;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.stats.bisection.Bisection;
import dev.loomboard.stats.bisection.TwoChanges;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Bisections that are under way. All but {@link #running} is called in a transaction, under the machine's lock. */
@Repository
class BisectionRunStore {

    /** Of the change, of its rerun and of the steps. Plan: point_pk, cell_ordinal_uq, point_cell_uq, bisection_step_ordinal_uq. */
    private static final String DIGESTS = """
            select q.server_digest from point q where q.point_id = cp.point_id
            union all
            select q.server_digest from cell k join point q on q.cell_id = k.cell_id
             where k.run_id = v.run_id or k.run_id in (select t.run_id from bisection_step t where t.bisection_id = b.bisection_id)
            """;

    /** Of the change, its rerun and the steps. Plan: as {@link #DIGESTS}. */
    private static final String RUNS = """
            select q.run_id from point q where q.point_id = cp.point_id
            union all select v.run_id
            union all select t.run_id from bisection_step t where t.bisection_id = b.bisection_id
            """;

    private final DatabaseClient database;

    BisectionRunStore(DatabaseClient database) {
        this.database = database;
    }

    record Running(long key, String id, MachineId machine) {}

    /**
     * What a step is made of.
     *
     * @param run internal key of the rerun, whose cell {@code group} it repeats
     * @param builds internal keys
     * @param bisection as of the steps that are over
     * @param open the step that is not; null: none
     * @param retracted what the change, its rerun or a step was measured with was found wrong; null: nothing was
     */
    record Work(
            long key,
            String id,
            WorkspaceId workspace,
            MachineId machine,
            String machineSlug,
            long run,
            String group,
            String title,
            List<Long> builds,
            BisectionState bisection,
            @Nullable Open open,
            @Nullable Retracted retracted) {}

    /**
     * @param run external id; null: it is no more
     * @param runState of its run
     * @param measured null: nothing that can be used, for {@code reason}
     */
    record Open(
            long key,
            int build,
            @Nullable String run,
            RunState runState,
            Bisection.@Nullable Blocks measured,
            String reason) {
        boolean over() {
            return runState.isOver();
        }
    }

    private record Step(StepStatus state, Open open) {}

    /** Plan: bisection_running_uq, primary keys. */
    Flux<Running> running() {
        return database.sql("""
                        select b.bisection_id, b.external_id, s.machine_id
                          from bisection b join change_point cp on cp.change_point_id = b.change_point_id
                          join series s on s.series_id = cp.series_id
                         where b.state = 'running' order by b.bisection_id limit 500
                        """)
                .map(row -> new Running(
                        number(row, "bisection_id"),
                        text(row, "external_id"),
                        new MachineId(number(row, "machine_id"))))
                .all();
    }

    /** Empty: it has ended meanwhile. Locked, because a person may cancel it. */
    Mono<Work> work(Running of) {
        return steps(of.key())
                .collectList()
                .flatMap(steps -> database.sql("""
                        select b.bisection_id, b.external_id, b.workspace_id, b.builds, b.effect, b.low, b.high, b.effect_blocks,
                               b.blocks, b.most_steps, v.run_id, s.metric, m.machine_id, m.slug as machine,
                               c.server, c.variant, c.scenario_key, c.collector, c.limits, ret.retracted,
                               array(select j.slug from unnest(b.builds) with ordinality u (id, nr)
                                       join jdk_build j on j.jdk_build_id = u.id order by u.nr) as names
                          from bisection b
                          join change_point cp on cp.change_point_id = b.change_point_id
                          join series s on s.series_id = cp.series_id
                          join machine m on m.machine_id = s.machine_id
                          join comparison v on v.comparison_id = b.comparison_id
                          join cell c on c.cell_id = v.candidate_cell_id
                        """
                                + RetractedSql.join(new RetractedSql.Result(
                                        "s.server", DIGESTS, "s.workload", "s.scenario_key", "s.machine_id", RUNS))
                                + " where b.bisection_id = :key and b.state = 'running' for update of b")
                        .bind("key", of.key())
                        .map(row -> work(row, steps))
                        .one());
    }

    /** In their order. A step's test is the one of its run on the metric: the run has one pair of cells. */
    private Flux<Step> steps(long bisection) {
        return database.sql("""
                        select t.bisection_step_id, t.state, array_position(b.builds, t.jdk_build_id) - 1 as build,
                               r.external_id as run, coalesce(r.state, 'failed') as run_state,
                               coalesce(c.jdk_build_id = t.jdk_build_id, false) as turned,
                               case when t.state = 'queued' then v.blocks else t.blocks end as blocks,
                               case when t.state = 'queued' then v.effect else t.effect end as effect,
                               case when t.state = 'queued' then v.low else t.low end as low,
                               case when t.state = 'queued' then v.high else t.high end as high,
                               coalesce(t.reason, v.reason, r.failure) as reason
                          from bisection_step t
                          join bisection b on b.bisection_id = t.bisection_id
                          join change_point cp on cp.change_point_id = b.change_point_id
                          join series s on s.series_id = cp.series_id
                          left join run r on r.run_id = t.run_id
                          left join comparison v on v.run_id = r.run_id and v.axis = 'jdk' and v.metric = s.metric
                          left join cell c on c.cell_id = v.baseline_cell_id
                         where t.bisection_id = :bisection order by t.ordinal
                        """)
                .bind("bisection", bisection)
                .map(BisectionRunStore::step)
                .all();
    }

    /** Whether the machine has a follow-up that has not ended. Plan: run_follow_up_ix. */
    Mono<Boolean> busy(MachineId machine) {
        return database.sql("""
                        select exists (select from run where machine_id = :machine and follow_up
                                          and state in ('queued', 'leased', 'running', 'disconnected')) as busy
                        """)
                .bind("machine", machine.value())
                .map(row -> flag(row, "busy"))
                .one();
    }

    /**
     * Whether a build that the machine lacks may still come: the machine has a JDK provider, which asks for what is awaited, and has had no
     * day for it yet. Plan: primary keys, bisection_step_ordinal_uq.
     */
    Mono<Boolean> mayStillCome(Work of) {
        return database.sql("""
                        select exists (select from machine m, bisection b
                                        where m.machine_id = :machine and b.bisection_id = :bisection
                                          and m.doctor -> 'findings' @> '[{"check": "jdk-provider"}]'
                                          and greatest(b.started_at, (select max(t.heard_at) from bisection_step t
                                                                       where t.bisection_id = b.bisection_id))
                                              > now() - interval '1 day') as may_come
                        """)
                .bind("machine", of.machine().value())
                .bind("bisection", of.key())
                .map(row -> flag(row, "may_come"))
                .one();
    }

    /** @param run null with a reason: it could not be queued, so it is over */
    Mono<Void> add(Work of, int build, @Nullable Long run, @Nullable String reason) {
        return database.sql("""
                        insert into bisection_step (workspace_id, bisection_id, ordinal, jdk_build_id, run_id, state, reason, heard_at)
                        values (:workspace, :bisection, :ordinal, :build, :run, :state, :reason,
                                case when :state = 'invalid' then now() end)
                        """)
                .bind("workspace", of.workspace().value())
                .bind("bisection", of.key())
                .bind("ordinal", of.bisection().steps().size() + 1)
                .bind("build", of.builds().get(build))
                .bind("run", Parameter.fromOrEmpty(run, Long.class))
                .bind("state", (run == null ? StepStatus.INVALID : StepStatus.QUEUED).wire())
                .bind("reason", Parameter.fromOrEmpty(reason, String.class))
                .then();
    }

    Mono<Void> measured(long step, Bisection.Blocks measured, List<Double> posterior) {
        Bisection.Interval interval = measured.interval();
        return database.sql("""
                        update bisection_step
                           set state = 'measured', heard_at = now(), blocks = :blocks, effect = :effect, low = :low, high = :high,
                               posterior = :posterior
                         where bisection_step_id = :step
                        """)
                .bind("blocks", measured.count())
                .bind("effect", interval.ratio())
                .bind("low", interval.low())
                .bind("high", interval.high())
                .bind("posterior", posterior.toArray(Double[]::new))
                .bind("step", step)
                .then();
    }

    Mono<Void> twoChanges(long bisection, TwoChanges two) {
        return database.sql("""
                        update bisection set two_posterior = :posterior, two_first = :first, two_second = :second
                         where bisection_id = :key
                        """)
                .bind("posterior", two.posterior())
                .bind("first", two.first().toArray(Double[]::new))
                .bind("second", two.second().toArray(Double[]::new))
                .bind("key", bisection)
                .then();
    }

    Mono<Void> invalid(long step, String reason) {
        return database.sql("""
                        update bisection_step set state = 'invalid', heard_at = now(), reason = :reason
                         where bisection_step_id = :step
                        """).bind("reason", reason).bind("step", step).then();
    }

    Mono<Void> end(long bisection, BisectionStatus status, String reason) {
        return database.sql(
                        "update bisection set state = :state, reason = :reason, ended_at = now() where bisection_id = :key and state = 'running'")
                .bind("state", status.wire())
                .bind("reason", reason)
                .bind("key", bisection)
                .then();
    }

    private static Work work(Readable row, List<Step> steps) {
        List<Long> builds = List.of(Objects.requireNonNull(row.get("builds", Long[].class)));
        Bisection bisection = new Bisection(
                Bisection.Blocks.of(
                        whole(row, "effect_blocks"), real(row, "effect"), real(row, "low"), real(row, "high")),
                builds.size(),
                whole(row, "blocks"));
        List<BisectionState.Step> over = steps.stream()
                .filter(s -> s.state() != StepStatus.QUEUED)
                .map(Step::open)
                .map(s -> new BisectionState.Step(s.build(), s.measured(), s.measured() == null ? s.reason() : null))
                .toList();
        return new Work(
                number(row, "bisection_id"),
                text(row, "external_id"),
                new WorkspaceId(number(row, "workspace_id")),
                new MachineId(number(row, "machine_id")),
                text(row, "machine"),
                number(row, "run_id"),
                RerunStore.group(row),
                "Bisection: " + text(row, "metric") + " of " + text(row, "server") + " " + text(row, "variant"),
                builds,
                new BisectionState(bisection, texts(row, "names"), whole(row, "most_steps"), over),
                steps.stream()
                        .filter(s -> s.state() == StepStatus.QUEUED)
                        .map(Step::open)
                        .findFirst()
                        .orElse(null),
                RetractedSql.read(row));
    }

    private static Step step(Readable row) {
        StepStatus state = WireName.of(StepStatus.class, text(row, "state"));
        String reason = textOrNull(row, "reason");
        Double effect = row.get("effect", Double.class);
        Double low = row.get("low", Double.class);
        Double high = row.get("high", Double.class);
        Bisection.Blocks blocks = null;
        if (state != StepStatus.INVALID && reason == null && effect != null && low != null && high != null) {
            boolean turned = state == StepStatus.QUEUED && flag(row, "turned");
            blocks = turned
                    ? Bisection.Blocks.of(whole(row, "blocks"), 1 / effect, 1 / high, 1 / low)
                    : Bisection.Blocks.of(whole(row, "blocks"), effect, low, high);
        }
        return new Step(
                state,
                new Open(
                        number(row, "bisection_step_id"),
                        whole(row, "build"),
                        textOrNull(row, "run"),
                        WireName.of(RunState.class, text(row, "run_state")),
                        blocks,
                        reason == null ? "nothing was measured" : reason));
    }

    private static double real(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Double.class), column);
    }
}
