package dev.loomboard.alarm;

import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.notice.AlarmNoticeSql;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.schedule.ScheduleId;
import io.r2dbc.spi.Readable;
import java.time.ZoneId;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Schedules without a result for longer than they allow, by the database's clock. */
@Repository
class ScheduleAlarmStore {

    /**
     * A result is a run with a trial that is done, itself done or stopped because it took as long as it may. A firing at which nothing was
     * new is as good. A run under way counts from its start: it may take longer than the runs before. Plan: run_schedule_ix, trial_run_ix,
     * schedule_firing_pk.
     */
    private static final String MISSING = """
            (select s.schedule_id, s.alarm_hours, h.heard_at
               from schedule s
              cross join lateral (select greatest(
                  s.updated_at,
                  (select r.finished_at from run r
                    where r.schedule_id = s.schedule_id
                      and (r.state = 'done' or r.state = 'cancelled' and r.stop_kind = 'duration')
                      and exists (select from trial t where t.run_id = r.run_id and t.state = 'done')
                    order by r.created_at desc limit 1),
                  (select max(r.started_at) from run r where r.schedule_id = s.schedule_id and r.state in ('leased', 'running')),
                  (select f.fire_at from schedule_firing f
                    where f.schedule_id = s.schedule_id and f.skip_kind = 'nothing-new'
                    order by f.fire_at desc limit 1)) as heard_at) h
              where s.state = 'active' and h.heard_at + s.alarm_hours * interval '1 hour' <= now()) a
            """;

    private final DatabaseClient database;

    ScheduleAlarmStore(DatabaseClient database) {
        this.database = database;
    }

    record Missing(ScheduleId schedule, MissingResult result) {}

    /** Of these schedules. */
    Flux<Missing> of(List<ScheduleId> schedules) {
        return database.sql("select a.schedule_id, a.heard_at, a.alarm_hours from " + MISSING
                        + " where a.schedule_id = any(:schedules)")
                .bind("schedules", schedules.stream().map(ScheduleId::value).toArray(Long[]::new))
                .map(row -> new Missing(new ScheduleId(number(row, "schedule_id")), result(row)))
                .all();
    }

    /** Notes those that are not noted yet, and opens their notices. Of two replicas that do, one gets each. */
    Flux<BegunAlarm> begin() {
        return database.sql("with begun as (update schedule o set alarmed_at = now() from " + MISSING + """
                         where o.schedule_id = a.schedule_id and o.alarmed_at is null
                        returning o.workspace_id, :kind as kind, o.schedule_id, null::bigint as machine_id, a.heard_at as since_at,
                                  o.external_id, o.slug, o.zone, a.alarm_hours),
                        noticed as ("""
                        + AlarmNoticeSql.OPEN + """
                        )
                        select b.external_id, b.slug, w.slug as workspace, b.zone, b.since_at as heard_at, b.alarm_hours
                          from begun b join workspace w using (workspace_id)
                        """)
                .bind("kind", NoticeKind.NIGHT_MISSED.wire())
                .map(row -> new BegunAlarm(
                        text(row, "external_id"),
                        "schedule " + text(row, "slug"),
                        text(row, "workspace"),
                        result(row).words(ZoneId.of(text(row, "zone")))))
                .all();
    }

    /** Forgets those that have had a result since, are paused or want no alarm any more: the next is told again. */
    Mono<Void> end() {
        return database.sql("with ended as (update schedule o set alarmed_at = null where o.alarmed_at is not null"
                        + " and not exists (select from " + MISSING + " where a.schedule_id = o.schedule_id)"
                        + " returning o.schedule_id) " + AlarmNoticeSql.takeBack("schedule_id"))
                .then();
    }

    private static MissingResult result(Readable row) {
        return new MissingResult(instant(row, "heard_at"), whole(row, "alarm_hours"));
    }
}
