package dev.loomboard.regression;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.cell.Limits;
import dev.loomboard.cell.Visibility;
import dev.loomboard.changepoint.ChangeStatus;
import dev.loomboard.expansion.TrialPlan;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.scenario.Load;
import dev.loomboard.stats.change.ChangePoint;
import dev.loomboard.stats.change.NightlyScreen;
import dev.loomboard.stats.change.SequentialRerun;
import dev.loomboard.stats.paired.Verdict;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Suspects that wait for a rerun or for its end. What changes them is called in a transaction, under the machine's or their lock. */
@Repository
public class RerunStore {

    private static final int MOST = 500;

    /** The machine of series s has no follow-up under way. Plan: run_follow_up_ix. */
    private static final String NO_FOLLOW_UP = """
             not exists (select from run f where f.machine_id = s.machine_id and f.follow_up
                            and f.state in ('queued', 'leased', 'running', 'disconnected'))
            """;

    /** Changes that wait for a rerun, for its next look, or for a build of it. Plan: change_point_waiting_ix, change_point_further_ix, change_point_awaits_ix. */
    private static final String PENDING = """
                     select change_point_id from change_point
                      where status = 'suspect' and rerun_run_id is null and rerun_reason is null
                     union all
                     select change_point_id from change_point where rerun_further is not null
                     union all
                     select change_point_id from change_point where rerun_awaits_since is not null and rerun_reason is null
            """;

    /** The machine k may rerun the change cp: its owners want reruns, or there is one, or somebody asked for it. */
    private static final String MAY = "(k.reruns or cp.rerun_run_id is not null or cp.rerun_awaits_since is not null)";

    /** Nothing that the change cp stands on is retracted. */
    private static final String STANDS = RetractedSql.none(new RetractedSql.Result(
            "s.server", "q.server_digest", "s.workload", "s.scenario_key", "s.machine_id", "q.run_id"));

    /**
     * Waiting, on a machine whose owners want reruns and that has none under way, and detected in a run that has ended: what else that run moves
     * belongs to the same rerun. A machine has one run at a time, so it is the one that was under way then. A rerun that has begun
     * gets its next look in any case. Plan: that of PENDING, primary keys, run_machine_active_uq, run_follow_up_ix.
     */
    static final String WAITING = """
              from change_point cp
              join series s on s.series_id = cp.series_id
              join machine k on k.machine_id = s.machine_id
              left join point q on q.point_id = cp.point_id
             where cp.change_point_id in (
            """ + PENDING + ") and " + MAY + " and " + STANDS + """

               and not exists (select from run o where o.machine_id = s.machine_id
                                  and o.state in ('leased', 'running', 'disconnected') and o.started_at <= cp.detected_at)
               and """ + NO_FOLLOW_UP;

    /** The newest look at a change's rerun. Plan: primary keys. */
    private static final String SO_FAR = """
                          left join run rr on rr.run_id = %1$s.rerun_run_id
                          left join comparison v on v.comparison_id = %1$s.rerun_comparison_id
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    RerunStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** A machine with suspects that wait. */
    record Machine(MachineId key, WorkspaceId workspace, String slug) {}

    /** The run that suspects come from. */
    public record Run(long matrix, String title, Visibility visibility, MatrixSpec spec) {}

    Flux<Machine> machines() {
        return database.sql("""
                        select machine_id, workspace_id, slug from machine
                         where machine_id in (select s.machine_id
                        """ + WAITING + ") order by machine_id limit " + MOST)
                .map(RerunStore::machine)
                .all();
    }

    /** That a change was measured on. */
    Mono<Machine> machineOf(long change) {
        return database.sql("""
                        select k.machine_id, k.workspace_id, k.slug
                          from change_point cp join series s on s.series_id = cp.series_id
                          join machine k on k.machine_id = s.machine_id
                         where cp.change_point_id = :change
                        """).bind("change", change).map(RerunStore::machine).one();
    }

    /** Lets one at a time look after a machine's suspects. */
    public Mono<Void> lock(MachineId machine) {
        return database.sql("select machine_id from machine where machine_id = :machine for no key update")
                .bind("machine", machine.value())
                .then();
    }

    /** Those that somebody else is about to change are left for the next time. */
    Flux<Suspect> suspects(MachineId machine) {
        return database.sql("""
                        select w.change_point_id, w.external_id, w.jdk_build_id, w.good_build_id, w.p, w.detected_at, w.metric,
                               w.screen_change is not null and not w.standing as screened, p.run_id, c.server, c.variant, c.scenario_key, c.collector, c.limits, c.load,
                               rr.look, rr.run_id as follows, v.blocks
                          from (select cp.*, s.metric, s.machine_id
                        """ + WAITING + """
                                   and s.machine_id = :machine
                                 order by cp.detected_at desc limit :most for update of cp skip locked) w
                          join point p on p.point_id = w.point_id
                          join cell c on c.cell_id = p.cell_id
                        """ + SO_FAR.formatted("w"))
                .bind("machine", machine.value())
                .bind("most", MOST)
                .map(this::suspect)
                .all();
    }

    /**
     * Seconds that the reruns of a day have taken or will: each that was begun counts for as many blocks as it takes in the mean.
     * Plan: run_machine_created_ix.
     */
    Mono<Double> promised(MachineId machine) {
        return database.sql("""
                        select coalesce(sum(coalesce(reckoned_seconds, planned_seconds)), 0) * :cleared / :first as seconds from run
                         where machine_id = :machine and created_at > now() - interval '24 hours' and follow_up and look = 1
                        """)
                .bind("machine", machine.value())
                .bind("cleared", (double) NightlyScreen.CLEARED)
                .bind("first", (double) SequentialRerun.LOOKS.getFirst())
                .map(row -> real(row, "seconds"))
                .one();
    }

    /** A change whose rerun was asked for; empty: its machine has a follow-up under way. Plan: primary keys, run_follow_up_ix. */
    Mono<Suspect> asked(long change) {
        return database.sql("""
                        select cp.change_point_id, cp.external_id, cp.jdk_build_id, cp.good_build_id, cp.p, cp.detected_at, s.metric,
                               cp.screen_change is not null and not cp.standing as screened, p.run_id, c.server, c.variant, c.scenario_key, c.collector, c.limits, c.load,
                               rr.look, rr.run_id as follows, v.blocks
                          from change_point cp join series s on s.series_id = cp.series_id
                          join point p on p.point_id = cp.point_id
                          join cell c on c.cell_id = p.cell_id
                        """ + SO_FAR.formatted("cp") + """
                         where cp.change_point_id = :change
                           and """ + NO_FOLLOW_UP + " for update of cp")
                .bind("change", change)
                .map(this::suspect)
                .one();
    }

    /** As if nothing had been done about it yet; of a rerun that was cut short, as if its next look were due. */
    Mono<Void> askAgain(Suspect asked) {
        boolean begun = asked.origin().follows() != null;
        return database.sql("""
                        update change_point
                           set rerun_run_id = case when :begun then rerun_run_id end,
                               rerun_comparison_id = case when :begun then rerun_comparison_id end,
                               rerun_further = case when :begun then :further end, rerun_reason = null, rerun_awaits_since = null
                         where change_point_id = :change
                        """)
                .bind("begun", begun)
                .bind("further", asked.further())
                .bind("change", asked.key())
                .then();
    }

    /** Fails with a JacksonException when its spec, stored by an older version, is no longer understood. */
    public Mono<Run> run(long key) {
        return database.sql("select matrix_id, title, visibility, spec from run where run_id = :run")
                .bind("run", key)
                .map(row -> new Run(
                        number(row, "matrix_id"),
                        text(row, "title"),
                        WireName.of(Visibility.class, text(row, "visibility")),
                        json.readValue(json(row, "spec"), MatrixSpec.class)))
                .one();
    }

    /** Why a stored spec cannot be used, for people. */
    public static String unreadable(JacksonException e) {
        return "the stored spec of its run is not understood by this version (" + e.getOriginalMessage() + ")";
    }

    /**
     * Notes that they wait for builds that their machine lacks, and says whether these may still come: it has a JDK provider, which asks
     * for what is awaited, and has had no day for them yet.
     */
    Mono<Boolean> await(MachineId machine, List<Long> suspects) {
        return database.sql("""
                        with noted as (
                          update change_point set rerun_awaits_since = coalesce(rerun_awaits_since, now())
                           where change_point_id = any(:suspects) returning rerun_awaits_since)
                        select m.doctor -> 'findings' @> '[{"check": "jdk-provider"}]'
                           and (select min(rerun_awaits_since) from noted) > now() - interval '1 day' as may_come
                          from machine m where m.machine_id = :machine
                        """)
                .bind("machine", machine.value())
                .bind("suspects", suspects.toArray(Long[]::new))
                .map(row -> Boolean.TRUE.equals(row.get("may_come", Boolean.class)))
                .one();
    }

    /** Internal keys of the builds of all reruns of a machine that wait or are under way. Plan: that of PENDING, run_follow_up_ix, primary keys. */
    Flux<Long> awaited(MachineId machine) {
        return database.sql("""
                        select distinct b.build
                          from change_point cp
                          join series s on s.series_id = cp.series_id
                          join machine k on k.machine_id = s.machine_id
                          left join point q on q.point_id = cp.point_id
                         cross join lateral (values (cp.good_build_id), (cp.jdk_build_id)) b (build)
                         where s.machine_id = :machine and cp.change_point_id in (
                        """ + PENDING + """
                                 union all
                                 select o.change_point_id from run f join change_point o on o.rerun_run_id = f.run_id
                                  where f.machine_id = :machine and f.follow_up
                                    and f.state in ('queued', 'leased', 'running', 'disconnected'))
                           and """ + MAY + " and " + STANDS + """

                         limit 500
                        """)
                .bind("machine", machine.value())
                .map(row -> number(row, "build"))
                .all();
    }

    /** How a build is called that its machine may no longer have. */
    Mono<String> build(long key) {
        return database.sql("select slug from jdk_build where jdk_build_id = :build")
                .bind("build", key)
                .map(row -> text(row, "slug"))
                .one();
    }

    /** Names the run that follows them up, which look it is, and of its family the test that answers each. */
    Mono<Void> follow(FollowUp rerun, long run) {
        Suspect.Origin origin = rerun.suspects().getFirst().origin();
        Mono<Void> look = database.sql(
                        "update run set look = :look, follows_run_id = :follows, reckoned_seconds = :seconds where run_id = :run")
                .bind("seconds", rerun.seconds())
                .bind("look", origin.looks() + 1)
                .bind("follows", Parameter.fromOrEmpty(origin.follows(), Long.class))
                .bind("run", run)
                .then();
        return look.then(database.sql("""
                        update change_point cp
                           set rerun_run_id = :run, rerun_comparison_id = v.comparison_id, rerun_further = null, rerun_reason = null,
                               rerun_awaits_since = null
                          from series s, point p, cell o, comparison v, cell b
                         where cp.change_point_id = any(:suspects) and s.series_id = cp.series_id
                           and p.point_id = cp.point_id and o.cell_id = p.cell_id
                           and v.run_id = :run and v.axis = 'jdk' and v.metric = s.metric and b.cell_id = v.baseline_cell_id
                           and (b.server, b.variant, b.scenario_key, b.collector, b.limits)
                             = (o.server, o.variant, o.scenario_key, o.collector, o.limits)
                        """)
                .bind("run", run)
                .bind("suspects", rerun.keys().toArray(Long[]::new))
                .then());
    }

    /** Those that no run follows up now. */
    Mono<Void> giveUp(List<Long> suspects, String reason) {
        return database.sql("""
                        update change_point set rerun_reason = :reason, rerun_further = null, rerun_awaits_since = null
                         where change_point_id = any(:suspects) and (rerun_run_id is null or rerun_further is not null)
                        """)
                .bind("reason", reason)
                .bind("suspects", suspects.toArray(Long[]::new))
                .then();
    }

    /**
     * Of reruns that are over and have not been heard. Those that somebody else is deciding are waited for, so that they are decided
     * afterwards either way. Plan: change_point_rerun_ix, primary keys.
     */
    Flux<RerunDecision> answers() {
        return database.sql("""
                        select cp.change_point_id, cp.status, cp.q_hat, cp.p, cp.before, cp.after, s.metric, r.look, v.blocks,
                               coalesce(b.jdk_build_id = cp.jdk_build_id, false) as turned,
                               case r.state when 'done' then null else coalesce(r.failure, 'it was ' || r.state) end as failure,
                               v.verdict, v.reason
                          from change_point cp join series s on s.series_id = cp.series_id
                          join run r on r.run_id = cp.rerun_run_id
                          left join comparison v on v.comparison_id = cp.rerun_comparison_id
                          left join cell b on b.cell_id = v.baseline_cell_id
                         where cp.rerun_run_id is not null and cp.rerun_reason is null
                           and r.state in ('done', 'failed', 'cancelled')
                         order by cp.change_point_id limit :most
                           for update of cp
                        """).bind("most", MOST).map(RerunStore::answer).all();
    }

    Mono<Void> decide(long suspect, RerunDecision.Decision decision) {
        ChangeStatus status = decision.status();
        return database.sql("""
                        update change_point
                           set rerun_reason = :reason, rerun_further = :further, status = coalesce(:status, status),
                               confirmed_by = case :status when 'confirmed' then 'rerun' else confirmed_by end,
                               decided_at = case when :status is null then decided_at else now() end
                         where change_point_id = :suspect
                        """)
                .bind("suspect", suspect)
                .bind("status", Parameter.fromOrEmpty(status == null ? null : status.wire(), String.class))
                .bind("reason", decision.reason())
                .bind("further", Parameter.fromOrEmpty(decision.further(), Integer.class))
                .then();
    }

    /** The group of a cell, of a row with its columns. */
    public static String group(Readable row) {
        return TrialPlan.group(
                text(row, "server"),
                text(row, "variant"),
                text(row, "scenario_key"),
                text(row, "collector"),
                Limits.of(json(row, "limits")));
    }

    private static Machine machine(Readable row) {
        return new Machine(
                new MachineId(number(row, "machine_id")),
                new WorkspaceId(number(row, "workspace_id")),
                text(row, "slug"));
    }

    private Suspect suspect(Readable row) {
        return new Suspect(
                number(row, "change_point_id"),
                text(row, "external_id"),
                origin(row),
                group(row),
                json.readValue(json(row, "load"), Load.class),
                text(row, "metric"),
                real(row, "p"),
                instant(row, "detected_at"),
                Objects.requireNonNullElse(row.get("blocks", Integer.class), 0),
                flag(row, "screened"));
    }

    /** A rerun from before there were looks is none that could go on. */
    private static Suspect.Origin origin(Readable row) {
        Integer look = row.get("look", Integer.class);
        return new Suspect.Origin(
                number(row, "run_id"),
                number(row, "good_build_id"),
                number(row, "jdk_build_id"),
                look == null ? 0 : look,
                look == null ? null : row.get("follows", Long.class));
    }

    private static RerunDecision answer(Readable row) {
        String verdict = textOrNull(row, "verdict");
        return new RerunDecision(
                number(row, "change_point_id"),
                WireName.of(ChangeStatus.class, text(row, "status")),
                new ChangePoint(0, real(row, "q_hat"), real(row, "p"), real(row, "before"), real(row, "after")),
                text(row, "metric"),
                row.get("look", Integer.class),
                Objects.requireNonNullElse(row.get("blocks", Integer.class), 0),
                flag(row, "turned"),
                textOrNull(row, "failure"),
                verdict == null ? null : Verdict.of(verdict),
                textOrNull(row, "reason"));
    }

    private static double real(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Double.class), column);
    }
}
