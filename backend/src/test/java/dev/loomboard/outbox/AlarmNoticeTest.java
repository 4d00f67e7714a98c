package dev.loomboard.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.alarm.AlarmService;
import dev.loomboard.kit.MailServer;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.PausedJobs;
import dev.loomboard.kit.Service;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.outbox.Recipients.Recipient;
import dev.loomboard.schedule.ScheduleRows;
import dev.loomboard.schedule.ScheduleStore;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** From an alarm to a mail. Schedules are so far off that nothing fires but what a test writes. */
@OneAtATime
final class AlarmNoticeTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final String OURS = """
            from outbox o join notice n using (notice_id) join schedule s using (schedule_id)
             where o.recipient = :id and s.external_id = :schedule
            """;

    private final Service service = Service.shared();
    private final PausedJobs paused = new PausedJobs(service, "alarms", "outbox");
    private final Recipients recipients = new Recipients(service);
    private final Recipient ann = recipients.add("member");
    private final OutboxService outbox = service.bean(OutboxService.class);
    private final ScheduleRows rows = new ScheduleRows(service, "public");
    private final String schedule =
            rows.schedule("0 0 0 1 1 ? 2099", "Europe/Berlin", Instant.now().minus(Duration.ofHours(27)));

    @AfterEach
    void resume() {
        recipients.leave(ann);
        rows.execute("update schedule set state = 'paused' where external_id = '" + schedule + "'");
        rows.revoke();
        paused.close();
    }

    @Test
    void schedule_without_a_result_is_one_mail_from_which_its_reader_knows_what_came_of_its_times() throws Exception {
        rows.execute("""
                insert into schedule_firing (schedule_id, fire_at, outcome, skip_kind, reason)
                select schedule_id, now() - interval '10 hours', 'skipped', 'refused', 'No JDK of the machine is 28-ea.'
                  from schedule where external_id = '%s'
                """.formatted(schedule));
        Recipient viewer = recipients.add("viewer");
        Recipient deaf = recipients.add("owner");
        recipients.choose(deaf, NoticeKind.SLOWER, NoticeKind.MACHINE_AWAY);
        alarm();
        Flux.range(0, 4)
                .flatMap(replica -> outbox.tell().subscribeOn(Schedulers.parallel()))
                .blockLast(TIMEOUT);
        assertThat(messages(ann)).isEqualTo(1);
        assertThat(messages(viewer) + messages(deaf)).isZero();
        send();
        String title = "Schedule " + ScheduleRows.slug(schedule);
        MimeMessage mail = only(title);
        String text = mail.getContent().toString();
        Files.writeString(Path.of("target/night-missed-mail.txt"), text); // to be read as its receiver would
        assertThat(mail.getSubject()).startsWith("[main] " + title + " has had no result since ");
        assertThat(text)
                .contains(
                        title + " has had no result since",
                        "Schedule:       " + title,
                        "Europe/Berlin)",
                        "Machine:        Machine " + rows.name + ", never heard of",
                        "Allowed:        26 h without a result",
                        "made no run. No JDK of the machine is 28-ea.",
                        "See its page: http",
                        ScheduleRows.path(schedule),
                        "mails of schedules that have no result are on for you",
                        "the only one until that is over");
        alarm();
        tell();
        assertThat(messages(ann)).as("it is told once").isEqualTo(1);
        assertThat(newest("o.state || o.attempts || o.resends")).isEqualTo("sent10");
        recipients.leave(viewer);
        recipients.leave(deaf);
    }

    @Test
    void alarm_that_is_over_is_not_sent_any_more_and_the_next_one_is_told() throws Exception {
        alarm();
        tell();
        rows.execute("update schedule set state = 'paused' where external_id = '" + schedule + "'");
        begin();
        send();
        assertThat(newest("o.state")).isEqualTo("dead");
        assertThat(newest("o.last_error")).contains("is over");
        rows.execute("update schedule set state = 'active' where external_id = '" + schedule + "'");
        begin();
        tell();
        send();
        assertThat(messages(ann)).isEqualTo(2);
        assertThat(newest("o.state")).isEqualTo("sent");
        assertThat(only(ScheduleRows.slug(schedule)).getSubject()).contains("has had no result");
    }

    @Test
    void machine_that_is_away_is_told_with_what_waits_for_it() throws Exception {
        rows.execute("update machine set last_seen_at = now() - interval '2 hours' where external_id = '" + rows.machine
                + "'");
        // The service is not up for an hour, so the statement of its alarm is given here.
        rows.execute("""
                with a as (update machine set alarmed_at = now() where external_id = '%s' returning machine_id, workspace_id, last_seen_at)
                insert into notice (workspace_id, kind, machine_id, since_at, ordinal, first_at, newest_at)
                select workspace_id, 'machine-away', machine_id, last_seen_at, 1, now(), now() from a
                """.formatted(rows.machine));
        tell();
        send();
        String text = only(rows.name).getContent().toString();
        Files.writeString(Path.of("target/machine-away-mail.txt"), text);
        assertThat(text)
                .contains(
                        "Machine " + rows.name + " has been away since",
                        "Schedules:      Schedule " + ScheduleRows.slug(schedule),
                        "Open runs:      0",
                        "systemctl status loomboard-agent",
                        "/w/main/machines/" + rows.name);
    }

    @Test
    void schedule_that_is_deleted_takes_along_what_was_told_of_it() {
        alarm();
        tell();
        assertThat(messages(ann)).isEqualTo(1);
        ScheduleStore store = service.bean(ScheduleStore.class);
        store.byId(schedule).flatMap(found -> store.delete(found.key())).block(TIMEOUT);
        assertThat(messages(ann)).isZero();
        assertThat(recipients.number(
                        "select count(*) from outbox where recipient = :id and notice_id is null",
                        Map.of("id", ann.id())))
                .isZero();
    }

    private void alarm() {
        rows.execute("update schedule set alarm_hours = 26 where external_id = '" + schedule + "'");
        begin();
    }

    private void begin() {
        service.bean(AlarmService.class).begin().blockLast(TIMEOUT);
    }

    private void tell() {
        outbox.tell().block(TIMEOUT);
    }

    private void send() {
        outbox.send(Duration.ofMinutes(1)).block(TIMEOUT);
    }

    /** Others have alarms too. */
    private MimeMessage only(String subject) throws MessagingException {
        List<MimeMessage> got = new ArrayList<>();
        for (MimeMessage mail : MailServer.shared().to(ann.email())) {
            if (mail.getSubject().contains(subject)) {
                got.add(mail);
            }
        }
        assertThat(got).hasSize(1);
        return got.getFirst();
    }

    private long messages(Recipient who) {
        return recipients.number("select count(*) " + OURS, Map.of("id", who.id(), "schedule", schedule));
    }

    /** A column of the newest message to ann of the schedule. */
    private String newest(String column) {
        return rows.text("select " + column + " "
                + OURS.replace(":id", "'" + ann.id() + "'").replace(":schedule", "'" + schedule + "'")
                + " order by o.outbox_id desc limit 1");
    }
}
