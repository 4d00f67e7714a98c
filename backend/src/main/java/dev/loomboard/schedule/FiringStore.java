package dev.loomboard.schedule;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.run.StoppedSql;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Each firing once: its primary key is schedule and fire time. */
@Repository
public class FiringStore {

    private final DatabaseClient database;

    FiringStore(DatabaseClient database) {
        this.database = database;
    }

    /** The newest firing on record; its key leads. */
    Mono<Optional<Instant>> last(ScheduleId schedule) {
        return database.sql("select max(fire_at) as at from schedule_firing where schedule_id = :schedule")
                .bind("schedule", schedule.value())
                .map(row ->
                        Optional.ofNullable(row.get("at", OffsetDateTime.class)).map(OffsetDateTime::toInstant))
                .one();
    }

    Mono<Boolean> exists(ScheduleId schedule, Instant fireAt) {
        return database.sql("""
                        select exists (
                          select 1 from schedule_firing where schedule_id = :schedule and fire_at = :at) as fired
                        """)
                .bind("schedule", schedule.value())
                .bind("at", fireAt.atOffset(ZoneOffset.UTC))
                .map(row -> flag(row, "fired"))
                .one();
    }

    Mono<Void> queued(ScheduleId schedule, Instant fireAt, Firing.Queued firing) {
        return database.sql("""
                        insert into schedule_firing (schedule_id, fire_at, outcome, run_id, reason, backfill_build_id)
                        values (:schedule, :at, 'queued', (select run_id from run where external_id = :run), :stopped, :backfill)
                        """)
                .bind("schedule", schedule.value())
                .bind("at", fireAt.atOffset(ZoneOffset.UTC))
                .bind("run", firing.run())
                .bind("stopped", Parameter.fromOrEmpty(firing.stopped(), String.class))
                .bind(
                        "backfill",
                        Parameter.fromOrEmpty(
                                firing.backfill() == null
                                        ? null
                                        : firing.backfill().key(),
                                Long.class))
                .then();
    }

    Mono<Void> skipped(ScheduleId schedule, List<Instant> fireTimes, Firing.Skipped firing) {
        return database.sql("""
                        insert into schedule_firing (schedule_id, fire_at, outcome, skip_kind, reason)
                        select :schedule, at, 'skipped', :kind, :reason from unnest(:times::timestamptz[]) at
                        """)
                .bind("schedule", schedule.value())
                .bind(
                        "times",
                        fireTimes.stream().map(t -> t.atOffset(ZoneOffset.UTC)).toArray(OffsetDateTime[]::new))
                .bind("kind", firing.kind().wire())
                .bind("reason", firing.reason())
                .then();
    }

    /** The runs of the schedule that are not over, oldest first; by run_schedule_ix. */
    Flux<FiringRules.OpenRun> open(ScheduleId schedule) {
        return database.sql("""
                        select external_id, state, coalesce(started_at, created_at) as since from run
                         where schedule_id = :schedule and state in ('queued', 'leased', 'running', 'disconnected')
                         order by created_at, run_id limit 100
                        """)
                .bind("schedule", schedule.value())
                .map(row -> new FiringRules.OpenRun(
                        text(row, "external_id"),
                        WireName.of(RunState.class, text(row, "state")),
                        instant(row, "since")))
                .all();
    }

    /**
     * A run that its agent works on for as long as its schedule allows.
     *
     * @param run external id
     * @param schedule external id
     */
    record LongRun(String run, String schedule, int hours) {}

    /** One whose machine is away is left alone: what it uploads when it is back still counts. Plan: run_queue_ix. */
    Flux<LongRun> tooLong(Instant now) {
        return database.sql("""
                        select r.external_id as run, s.external_id as schedule, s.most_hours
                          from run r join schedule s on s.schedule_id = r.schedule_id
                         where r.state in ('leased', 'running') and r.cancel_requested_at is null
                           and r.started_at + s.most_hours * interval '1 hour' <= :now
                         order by r.run_id limit 200
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> new LongRun(text(row, "run"), text(row, "schedule"), whole(row, "most_hours")))
                .all();
    }

    /**
     * The last time that a run of the schedule measured a build.
     *
     * @param build internal key
     * @param at when that run ended, or was queued
     * @param run external id
     */
    record Measured(long build, Instant at, boolean over, String run) {}

    /**
     * Of builds that no run measured, nothing. Runs that failed or were cancelled do not count, but one that was stopped because it took
     * as long as it may does where it measured the build: else a schedule that is too long for its maximum would repeat each night what
     * is not new. Plan: run_schedule_ix, cell_ordinal_uq, trial_cell_ix.
     */
    Flux<Measured> measured(ScheduleId schedule, List<Long> builds) {
        return database.sql("""
                        select b.id as build, r.external_id as run, r.finished_at is not null as over, coalesce(r.finished_at, r.created_at) as at
                          from unnest(:builds::bigint[]) b (id)
                          cross join lateral (
                            select external_id, state, finished_at, created_at from run o
                             where o.schedule_id = :schedule
                                   and (o.state not in ('failed', 'cancelled') or o.state = 'cancelled' and o.stop_kind = 'duration')
                                   and exists (select from cell c
                                                where c.run_id = o.run_id and c.jdk_build_id = b.id
                                                  and (o.state <> 'cancelled' or exists (
                                                        select from trial t where t.cell_id = c.cell_id and t.state = 'done')))
                             order by o.created_at desc limit 1) r
                        """)
                .bind("builds", builds.toArray(Long[]::new))
                .bind("schedule", schedule.value())
                .map(row -> new Measured(number(row, "build"), instant(row, "at"), flag(row, "over"), text(row, "run")))
                .all();
    }

    /** Keys of the builds that firings backfilled, whatever came of it. */
    Flux<Long> backfilled(ScheduleId schedule) {
        return database.sql("""
                        select distinct backfill_build_id as build from schedule_firing
                         where schedule_id = :schedule and backfill_build_id is not null
                        """)
                .bind("schedule", schedule.value())
                .map(row -> number(row, "build"))
                .all();
    }

    /**
     * The newest firings, and the runs that somebody asked for by hand; both sides by their index. A run that the caller
     * may not see (the schedule had a private machine once) is left out.
     */
    public Flux<PastFiring> past(Caller caller, ScheduleId schedule, int limit) {
        return VisibleSql.query(
                        database,
                        caller,
                        """
                        (select f.fire_at as at, false as by_hand, r.external_id as run, r.state as run_state, f.skip_kind, f.reason, b.slug as backfill,
                                r.started_at, r.finished_at,
                        """ + StoppedSql.COLUMNS + """
                           from schedule_firing f left join run r on r.run_id = f.run_id
                          left join jdk_build b on b.jdk_build_id = f.backfill_build_id
                        """ + StoppedSql.JOIN + """
                          where f.schedule_id = :schedule
                            and (r.run_id is null or visible(r))
                          order by f.fire_at desc limit :limit)
                        union all
                        (select r.created_at, true, r.external_id, r.state, null, null, null, r.started_at, r.finished_at,
                        """ + StoppedSql.COLUMNS + """
                           from run r
                        """
                                + StoppedSql.JOIN + """
                          where r.schedule_id = :schedule
                            and visible(r)
                            and not exists (
                              select 1 from schedule_firing f where f.schedule_id = :schedule and f.run_id = r.run_id)
                          order by r.created_at desc limit :limit)
                        order by 1 desc limit :limit
                        """)
                .bind("schedule", schedule.value())
                .bind("limit", limit)
                .map(row -> past(row, flag(row, "by_hand")))
                .all();
    }

    /** The firings from a time on, newest first; a run that the caller may not see is left out. By the primary key. */
    public Flux<PastFiring> since(Caller caller, ScheduleId schedule, Instant from, int limit) {
        return VisibleSql.query(database, caller, """
                        select f.fire_at as at, r.external_id as run, r.state as run_state, f.skip_kind, f.reason, b.slug as backfill, r.started_at, r.finished_at,
                        """ + StoppedSql.COLUMNS + """
                          from schedule_firing f left join run r on r.run_id = f.run_id
                          left join jdk_build b on b.jdk_build_id = f.backfill_build_id
                        """ + StoppedSql.JOIN + """
                         where f.schedule_id = :schedule and f.fire_at >= :from and (r.run_id is null or visible(r))
                         order by f.fire_at desc limit :limit
                        """)
                .bind("schedule", schedule.value())
                .bind("from", from.atOffset(ZoneOffset.UTC))
                .bind("limit", limit)
                .map(row -> past(row, false))
                .all();
    }

    /** What each of some schedules did last: one probe of the key each. */
    public Flux<Last> lastOf(Caller caller, List<ScheduleId> schedules) {
        return VisibleSql.query(database, caller, """
                        select s.id as schedule_id, f.fire_at as at, r.external_id as run, r.state as run_state, f.skip_kind, f.reason, b.slug as backfill,
                               r.started_at, r.finished_at,
                        """ + StoppedSql.COLUMNS + """
                          from unnest(:schedules::bigint[]) s (id)
                          cross join lateral (
                            select fire_at, run_id, skip_kind, reason, backfill_build_id from schedule_firing
                             where schedule_id = s.id order by fire_at desc limit 1) f
                          left join run r on r.run_id = f.run_id
                          left join jdk_build b on b.jdk_build_id = f.backfill_build_id
                        """ + StoppedSql.JOIN + """
                         where r.run_id is null or visible(r)
                        """)
                .bind("schedules", schedules.stream().map(ScheduleId::value).toArray(Long[]::new))
                .map(row -> new Last(new ScheduleId(number(row, "schedule_id")), past(row, false)))
                .all();
    }

    public record Last(ScheduleId schedule, PastFiring past) {}

    private static PastFiring past(Readable row, boolean byHand) {
        String state = textOrNull(row, "run_state");
        return new PastFiring(
                instant(row, "at"),
                byHand,
                textOrNull(row, "run"),
                state == null ? null : WireName.of(RunState.class, state),
                WireName.orNull(SkipKind.class, textOrNull(row, "skip_kind")),
                textOrNull(row, "reason"),
                textOrNull(row, "backfill"),
                StoppedSql.read(row),
                instantOrNull(row, "started_at"),
                instantOrNull(row, "finished_at"));
    }
}
