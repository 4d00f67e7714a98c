package dev.loomboard.alarm;

import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cron.FireTime;
import dev.loomboard.notice.AlarmNoticeSql;
import dev.loomboard.notice.NoticeKind;
import java.time.Duration;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Machines that something waits for and that are not heard of for some time, by the database's clock. */
@Repository
class MachineAlarmStore {

    /**
     * An active schedule or an open run waits for it. One that drains or is retired is meant to leave; one that never came is not away.
     * Plan: schedule_machine_ix, run_queue_ix.
     */
    private static final String AWAY = """
            (select m.machine_id, m.last_seen_at from machine m
              where m.revoked_at is null and m.draining_since is null
                and m.last_seen_at <= now() - :away * interval '1 second'
                and (exists (select from schedule s where s.machine_id = m.machine_id and s.state = 'active')
                     or exists (select from run r
                                 where r.machine_id = m.machine_id and r.state in ('queued', 'leased', 'running', 'disconnected')))) a
            """;

    /** Between two looks, of which there is one a minute: after a longer one no replica was there. */
    private static final Duration GAP = Duration.ofMinutes(5);

    private final DatabaseClient database;

    MachineAlarmStore(DatabaseClient database) {
        this.database = database;
    }

    /** Says that a replica is there to hear of machines. */
    Mono<Void> watch() {
        return database.sql("""
                        insert into alarm_watch (alarm_watch_id, since_at, looked_at) values (1, now(), now())
                        on conflict on constraint alarm_watch_pk do update
                          set since_at = case when alarm_watch.looked_at < now() - :gap * interval '1 second' then now()
                                              else alarm_watch.since_at end,
                              looked_at = now()
                        """).bind("gap", GAP.toSeconds()).then();
    }

    /**
     * Notes those that are not noted yet, and opens their notices, once some replica has been there for so long: else none was heard of.
     * Of two replicas that do, one gets each.
     */
    Flux<BegunAlarm> begin(Duration away) {
        return database.sql("with begun as (update machine o set alarmed_at = now() from " + AWAY + """
                         where o.machine_id = a.machine_id and o.alarmed_at is null
                           and exists (select from alarm_watch where since_at <= now() - :away * interval '1 second')
                        returning o.workspace_id, :kind as kind, null::bigint as schedule_id, o.machine_id, a.last_seen_at as since_at,
                                  o.external_id, o.slug),
                        noticed as ("""
                        + AlarmNoticeSql.OPEN + """
                        )
                        select b.external_id, b.slug, w.slug as workspace, b.since_at from begun b join workspace w using (workspace_id)
                        """)
                .bind("kind", NoticeKind.MACHINE_AWAY.wire())
                .bind("away", away.toSeconds())
                .map(row -> new BegunAlarm(
                        text(row, "external_id"),
                        "machine " + text(row, "slug"),
                        text(row, "workspace"),
                        "Not heard of since "
                                + FireTime.of(instant(row, "since_at"), ZoneOffset.UTC)
                                        .local()
                                + ", and something waits for it."))
                .all();
    }

    /** Forgets those that are heard of again, or that nothing waits for any more: the next is told again. */
    Mono<Void> end(Duration away) {
        return database.sql("with ended as (update machine o set alarmed_at = null where o.alarmed_at is not null"
                        + " and not exists (select from " + AWAY + " where a.machine_id = o.machine_id)"
                        + " returning o.machine_id) " + AlarmNoticeSql.takeBack("machine_id"))
                .bind("away", away.toSeconds())
                .then();
    }
}
