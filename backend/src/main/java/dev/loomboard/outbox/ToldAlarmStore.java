package dev.loomboard.outbox;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;

import dev.loomboard.cron.FireTime;
import dev.loomboard.cron.Timing;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.outbox.ToldAlarm.Event;
import dev.loomboard.outbox.ToldAlarm.Fact;
import dev.loomboard.view.Format;
import dev.loomboard.web.Urls;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads what the notice of an alarm tells: what is known when it is sent, of what came before it was told. */
@Repository
class ToldAlarmStore {

    private static final int MOST_FIRINGS = 10;
    private static final int MOST_SCHEDULES = 20;

    /** The alarm holds while its own time is that of the notice. Plan: primary keys. */
    private static final String SCHEDULE = """
            select n.external_id as notice, n.told_at, n.since_at, w.slug as workspace, w.name as workspace_name,
                   s.alarmed_at is not distinct from n.first_at as stands, s.slug, s.title, s.cron, s.zone, s.alarm_hours::text as hours,
                   m.name as machine, m.last_seen_at
              from notice n
              join workspace w on w.workspace_id = n.workspace_id
              join schedule s on s.schedule_id = n.schedule_id
              join machine m on m.machine_id = s.machine_id
             where n.notice_id = :notice
            """;

    /** Plan: schedule_firing_pk. */
    private static final String FIRINGS = """
            select f.fire_at, f.reason, s.zone, r.external_id as run, r.state
              from notice n
              join schedule s on s.schedule_id = n.schedule_id
              join schedule_firing f on f.schedule_id = n.schedule_id and f.fire_at > n.since_at and f.fire_at <= n.told_at
              left join run r on r.run_id = f.run_id
             where n.notice_id = :notice order by f.fire_at desc limit :most
            """;

    /** Plan: primary keys, schedule_machine_ix, run_queue_ix. */
    private static final String MACHINE = """
            select n.external_id as notice, n.told_at, n.since_at, w.slug as workspace, w.name as workspace_name,
                   m.alarmed_at is not distinct from n.first_at as stands, m.slug, m.name,
                   array(select s.title from schedule s where s.machine_id = m.machine_id and s.state = 'active'
                          order by s.title, s.schedule_id limit :most) as schedules,
                   (select count(*) from run r where r.machine_id = m.machine_id
                       and r.state in ('queued', 'leased', 'running', 'disconnected')) as runs
              from notice n
              join workspace w on w.workspace_id = n.workspace_id
              join machine m on m.machine_id = n.machine_id
             where n.notice_id = :notice
            """;

    private final DatabaseClient database;

    ToldAlarmStore(DatabaseClient database) {
        this.database = database;
    }

    /** Empty: the notice is of a build. */
    Mono<ToldNotice> of(long notice) {
        return ofSchedule(notice).switchIfEmpty(ofMachine(notice));
    }

    private Mono<ToldNotice> ofSchedule(long notice) {
        return database.sql(FIRINGS)
                .bind("notice", notice)
                .bind("most", MOST_FIRINGS)
                .map(ToldAlarmStore::firing)
                .all()
                .collectList()
                .flatMap(firings -> database.sql(SCHEDULE)
                        .bind("notice", notice)
                        .map(row -> told(row, schedule(row, firings)))
                        .one());
    }

    private Mono<ToldNotice> ofMachine(long notice) {
        return database.sql(MACHINE)
                .bind("notice", notice)
                .bind("most", MOST_SCHEDULES)
                .map(row -> told(row, machine(row)))
                .one();
    }

    private static ToldNotice told(Readable row, ToldAlarm alarm) {
        return new ToldNotice(
                text(row, "notice"),
                instant(row, "told_at"),
                text(row, "workspace"),
                text(row, "workspace_name"),
                alarm);
    }

    private static Event firing(Readable row) {
        String at = FireTime.of(instant(row, "fire_at"), ZoneId.of(text(row, "zone")))
                .local();
        String run = textOrNull(row, "run");
        return run == null
                ? new Event(at + ": made no run. " + text(row, "reason"), null)
                : new Event(at + ": made a run, which is " + text(row, "state"), Urls.run(run));
    }

    private static ToldAlarm schedule(Readable row, List<Event> firings) {
        ZoneId zone = ZoneId.of(text(row, "zone"));
        Instant seen = instantOrNull(row, "last_seen_at");
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact(
                "Schedule",
                text(row, "title") + " (" + Timing.of(text(row, "cron")).words() + ", " + zone + ")"));
        facts.add(new Fact(
                "Machine",
                text(row, "machine")
                        + (seen == null
                                ? ", never heard of"
                                : ", last heard of " + FireTime.of(seen, zone).local())));
        String hours = textOrNull(row, "hours");
        if (hours != null) {
            facts.add(new Fact("Allowed", hours + " h without a result"));
        }
        return new ToldAlarm(
                NoticeKind.NIGHT_MISSED,
                text(row, "title"),
                FireTime.of(instant(row, "since_at"), zone),
                facts,
                firings,
                List.of(
                        "Look first whether its machine was heard of lately, then what its last runs say.",
                        "If all is as it should be, pause the schedule or have it wait longer on its page: then nobody is told."),
                Urls.schedule(text(row, "workspace"), text(row, "slug")),
                flag(row, "stands"));
    }

    private static ToldAlarm machine(Readable row) {
        List<String> schedules = texts(row, "schedules");
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Machine", text(row, "name")));
        if (!schedules.isEmpty()) {
            facts.add(new Fact("Schedules", String.join(", ", schedules)));
        }
        facts.add(new Fact("Open runs", Format.count(number(row, "runs"))));
        return new ToldAlarm(
                NoticeKind.MACHINE_AWAY,
                text(row, "name"),
                FireTime.of(instant(row, "since_at"), ZoneOffset.UTC),
                facts,
                List.of(),
                List.of(
                        "Look whether it has power and a network, and on it what `systemctl status loomboard-agent` says.",
                        "If it is meant to be away, drain or retire it on its page, or pause its schedules: then nobody is told."),
                Urls.machine(text(row, "workspace"), text(row, "slug")),
                flag(row, "stands"));
    }
}
