package dev.loomboard.schedule;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.r2dbc.core.DatabaseClient;
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

    /** @param run external id */
    Mono<Void> queued(ScheduleId schedule, Instant fireAt, String run) {
        return database.sql("""
                        insert into schedule_firing (schedule_id, fire_at, outcome, run_id)
                        values (:schedule, :at, 'queued', (select run_id from run where external_id = :run))
                        """)
                .bind("schedule", schedule.value())
                .bind("at", fireAt.atOffset(ZoneOffset.UTC))
                .bind("run", run)
                .then();
    }

    Mono<Void> skipped(ScheduleId schedule, List<Instant> fireTimes, String reason) {
        return database.sql("""
                        insert into schedule_firing (schedule_id, fire_at, outcome, reason)
                        select :schedule, at, 'skipped', :reason from unnest(:times::timestamptz[]) at
                        """)
                .bind("schedule", schedule.value())
                .bind(
                        "times",
                        fireTimes.stream().map(t -> t.atOffset(ZoneOffset.UTC)).toArray(OffsetDateTime[]::new))
                .bind("reason", reason)
                .then();
    }

    /** The oldest run of the schedule that waits for its machine; by run_schedule_ix. */
    Mono<FiringRules.Waiting> waiting(ScheduleId schedule) {
        return database.sql("""
                        select external_id, created_at from run
                         where schedule_id = :schedule and state = 'queued' order by created_at limit 1
                        """)
                .bind("schedule", schedule.value())
                .map(row -> new FiringRules.Waiting(text(row, "external_id"), instant(row, "created_at")))
                .one();
    }

    /**
     * The last time that a run of the schedule measured a build.
     *
     * @param build internal key
     * @param at when that run ended, or was queued
     * @param run external id
     */
    record Measured(long build, Instant at, boolean over, String run) {}

    /** Of builds that no run measured, nothing; runs that failed or were cancelled do not count. Plan: run_schedule_ix, cell_ordinal_uq. */
    Flux<Measured> measured(ScheduleId schedule, List<Long> builds) {
        return database.sql("""
                        select b.id as build, r.external_id as run, r.state = 'done' as over, coalesce(r.finished_at, r.created_at) as at
                          from unnest(:builds::bigint[]) b (id)
                          cross join lateral (
                            select external_id, state, finished_at, created_at from run o
                             where o.schedule_id = :schedule and o.state not in ('failed', 'cancelled')
                                   and exists (select from cell c where c.run_id = o.run_id and c.jdk_build_id = b.id)
                             order by o.created_at desc limit 1) r
                        """)
                .bind("builds", builds.toArray(Long[]::new))
                .bind("schedule", schedule.value())
                .map(row -> new Measured(number(row, "build"), instant(row, "at"), flag(row, "over"), text(row, "run")))
                .all();
    }

    /**
     * The newest firings, and the runs that somebody asked for by hand; both sides by their index. A run that the caller
     * may not see (the schedule had a private machine once) is left out.
     */
    public Flux<PastFiring> past(Caller caller, ScheduleId schedule, int limit) {
        return VisibleSql.query(database, caller, """
                        (select f.fire_at as at, false as by_hand, r.external_id as run, r.state as run_state, f.reason,
                                r.started_at, r.finished_at
                           from schedule_firing f left join run r on r.run_id = f.run_id
                          where f.schedule_id = :schedule
                            and (r.run_id is null or visible(r))
                          order by f.fire_at desc limit :limit)
                        union all
                        (select r.created_at, true, r.external_id, r.state, null, r.started_at, r.finished_at
                           from run r
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
                        select f.fire_at as at, r.external_id as run, r.state as run_state, f.reason, r.started_at, r.finished_at
                          from schedule_firing f left join run r on r.run_id = f.run_id
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
                        select s.id as schedule_id, f.fire_at as at, r.external_id as run, r.state as run_state, f.reason,
                               r.started_at, r.finished_at
                          from unnest(:schedules::bigint[]) s (id)
                          cross join lateral (
                            select fire_at, run_id, reason from schedule_firing
                             where schedule_id = s.id order by fire_at desc limit 1) f
                          left join run r on r.run_id = f.run_id
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
                textOrNull(row, "reason"),
                instantOrNull(row, "started_at"),
                instantOrNull(row, "finished_at"));
    }
}
