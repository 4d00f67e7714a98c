package dev.loomboard.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.outbox.Recipients.Recipient;
import dev.loomboard.regression.RetractedTest;
import jakarta.mail.internet.MimeMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** From a rerun's end to a mail. */
@OneAtATime
final class OutboxTest extends OutboxRig {

    @Test
    void cells_that_a_rerun_confirms_of_one_build_are_one_mail_however_many_replicas_send() throws Exception {
        SuspectRows rows = new SuspectRows(service, "public");
        rows.suspect("plain", CPU);
        rows.suspect("plain", "rss_mib");
        rows.suspect("other", CPU);
        confirm(rows, 1.2);
        assertThat(recipients.notices(rows.young, "slower")).isEqualTo(1);
        replicas(4)
                .flatMap(replica -> replica.tell().subscribeOn(Schedulers.parallel()))
                .blockLast(TIMEOUT);
        assertThat(recipients.messages(ann, rows.young)).isEqualTo(1);
        replicas(4)
                .flatMap(replica -> replica.send(Duration.ofMinutes(1)).subscribeOn(Schedulers.parallel()))
                .blockLast(TIMEOUT);
        MimeMessage mail = only(ann);
        assertThat(mail.getSubject()).isEqualTo("[main] 25.0.2+9 temurin is slower than 25.0.1+9 temurin: 3 changes");
        assertThat(mail.getMessageID()).isEqualTo("<" + recipients.newest(ann, "message_id") + "@example.org>");
        assertThat(mail.getHeader("List-Unsubscribe-Post")).containsExactly("List-Unsubscribe=One-Click");
        String text = mail.getContent().toString();
        Files.writeString(Path.of("target/first-mail.txt"), text); // to be read as its receiver would
        assertThat(text)
                .contains(
                        "25.0.2+9 temurin is slower than 25.0.1+9 temurin.",
                        "3 changes of 2 cells",
                        "tiny plain, empty, 10/s for 1 s, G1",
                        "Server CPU per request: slower, +20",
                        "(95 % interval +",
                        "at look 1 of 4 · 8 blocks",
                        "Evidence (run): http",
                        "/regressions?jdk=" + rows.young,
                        "2 cells of one server changed together",
                        "interleaved both builds on this host")
                .doesNotContain("ask for a rerun");
        assertThat(recipients.newest(ann, "state || attempts || resends")).isEqualTo("sent10");
        String one = Jsoup.connect(service.url() + "/regressions?jdk=" + rows.young)
                .get()
                .select("tbody a[href^=/regressions/chg_]")
                .attr("href");
        assertThat(Jsoup.connect(service.url() + one).get().text())
                .as("the page of one of them says of the cause what all of them say")
                .contains("2 cells of one server changed together")
                .doesNotContain("Only one cell changed");
    }

    @Test
    void mail_that_was_accepted_before_its_replica_was_killed_is_sent_again_with_its_id_and_counted() throws Exception {
        SuspectRows rows = told(1.2);
        OutboxStore killed = new OutboxStore(service.bean(DatabaseClient.class)) {
            @Override
            Mono<Void> sent(OutboxMessage message, Instant at) {
                return Mono.error(new IllegalStateException("this replica is no more"));
            }
        };
        replica(killed, later()).send(Duration.ofMinutes(1)).block(TIMEOUT);
        assertThat(server.to(ann.email())).hasSize(1);
        send(later());
        assertThat(server.to(ann.email())).as("the lease is not over").hasSize(1);
        send(later().plus(TIMES.lease()));
        send(later().plus(TIMES.lease()).plusSeconds(1));
        List<MimeMessage> both = server.to(ann.email());
        assertThat(both).hasSize(2);
        assertThat(both.getFirst().getMessageID()).isEqualTo(both.getLast().getMessageID());
        assertThat(both.getFirst().getContent()).isEqualTo(both.getLast().getContent());
        assertThat(recipients.newest(ann, "state || attempts || resends")).isEqualTo("sent21");
        assertThat(recipients.messages(ann, rows.young)).isEqualTo(1);
    }

    @Test
    void suspects_and_what_a_rerun_leaves_open_or_clears_tell_nobody() {
        SuspectRows suspected = new SuspectRows(service, "public");
        suspected.suspect("plain", CPU);
        SuspectRows open = new SuspectRows(service, "public");
        String suspect = open.suspect("plain", CPU);
        reruns.followUp().block(TIMEOUT);
        open.scattered(Objects.requireNonNull(open.rerun(suspect)));
        reruns.decide().block(TIMEOUT);
        SuspectRows cleared = new SuspectRows(service, "public");
        cleared.suspect("plain", CPU);
        confirm(cleared, 1);
        tell(now.plus(Duration.ofHours(5)));
        for (SuspectRows rows : List.of(suspected, open, cleared)) {
            assertThat(recipients.notices(rows.young, "slower")).isZero();
            assertThat(recipients.messages(ann, rows.young)).isZero();
        }
    }

    @Test
    void notice_waits_until_nothing_of_its_build_is_under_way_but_not_for_ever() {
        SuspectRows rows = new SuspectRows(service, "public");
        rows.suspect("plain", CPU);
        confirm(rows, 1.2);
        String second = rows.suspect("other", CPU);
        tell(now);
        tell(later());
        assertThat(recipients.messages(ann, rows.young))
                .as("a suspect waits for its rerun")
                .isZero();
        reruns.followUp().block(TIMEOUT);
        tell(later());
        assertThat(recipients.messages(ann, rows.young)).as("it is under way").isZero();
        rows.measured(Objects.requireNonNull(rows.rerun(second)), 1.2);
        reruns.decide().block(TIMEOUT);
        rows.suspect("third", CPU);
        tell(later());
        assertThat(recipients.messages(ann, rows.young)).as("another one waits").isZero();
        tell(now.plus(Duration.ofHours(4)));
        assertThat(recipients.messages(ann, rows.young)).isEqualTo(1);
        assertThat(recipients.notices(rows.young, "slower")).isEqualTo(1);
    }

    @Test
    void what_is_confirmed_within_a_day_after_is_not_told_again_and_later_it_is() {
        SuspectRows rows = told(1.2);
        rows.suspect("other", CPU);
        confirm(rows, 1.2);
        tell(later().plus(Duration.ofHours(4)));
        assertThat(recipients.messages(ann, rows.young)).isEqualTo(1);
        assertThat(recipients.number("""
                        select count(*) from notice_cell x join notice n using (notice_id) join jdk_build j using (jdk_build_id)
                         where j.slug = :build
                        """, Map.of("build", rows.young)))
                .as("both are of the one notice")
                .isEqualTo(2);
        recipients.run("""
                update notice set told_at = now() - interval '25 hours'
                 where jdk_build_id = (select jdk_build_id from jdk_build where slug = :build)
                """, Map.of("build", rows.young));
        rows.suspect("plain", "rss_mib");
        confirm(rows, 1.2);
        tell(later());
        assertThat(recipients.notices(rows.young, "slower")).isEqualTo(2);
        assertThat(recipients.messages(ann, rows.young)).isEqualTo(2);
    }

    @Test
    void notice_of_which_nothing_stands_waits_until_something_does() throws Exception {
        SuspectRows rows = new SuspectRows(service, "public");
        rows.suspect("plain", CPU);
        confirm(rows, 1.2);
        RetractedTest.retract(rows);
        tell(later());
        tell(now.plus(Duration.ofHours(5)));
        assertThat(recipients.messages(ann, rows.young)).isZero();
        RetractedTest.withdraw(rows);
        tell(later());
        assertThat(recipients.messages(ann, rows.young)).isEqualTo(1);
        send(later());
        assertThat(only(ann).getSubject()).contains("1 change");
    }

    @Test
    void what_is_retracted_or_hidden_is_left_out_of_what_is_told() throws Exception {
        SuspectRows rows = new SuspectRows(service, "public");
        rows.suspect("plain", CPU);
        String retracted = rows.suspect("other", CPU);
        String hidden = rows.suspect("third", CPU);
        confirm(rows, 1.2);
        assertThat(recipients.notices(rows.young, "slower")).isEqualTo(1);
        rows.run("""
                update point set server_digest = :name
                 where point_id = (select point_id from change_point where external_id = :change)
                """, Map.of("name", rows.name, "change", retracted));
        RetractedTest.retracted(rows, rows.name);
        long night = rows.night(hidden, Map.of(rows.young, 1.2));
        rows.run("""
                with n as (update run set hidden = true, visibility = 'private' where run_id = :night returning run_id)
                update change_point set point_id = (select p.point_id from point p join n using (run_id))
                 where external_id = :change
                """, Map.of("night", night, "change", hidden));
        tell(later());
        send(later());
        assertThat(only(ann).getSubject()).contains("1 change");
        assertThat(only(ann).getContent().toString())
                .contains("1 change of 1 cell", "tiny plain")
                .doesNotContain("tiny other", "tiny third");
    }

    @Test
    void more_failed_requests_that_a_retracted_or_hidden_rerun_found_are_not_told() {
        SuspectRows rows = new SuspectRows(service, "public");
        String rerun = failing(rows);
        Instant at = now.plus(Duration.ofHours(4));
        rows.run("update run set hidden = true, visibility = 'private' where external_id = :run", Map.of("run", rerun));
        tell(at);
        rows.run("update run set hidden = false, visibility = 'public' where external_id = :run", Map.of("run", rerun));
        rows.run("""
                insert into retraction (kind, name, version, run_id, reason, retracted_by, retracted_at)
                select 'run', r.title, r.external_id, r.run_id, 'it slept', (select min(account_id) from account), now()
                  from run r where r.external_id = :run
                """, Map.of("run", rerun));
        tell(at);
        assertThat(recipients.notices(rows.young, "fails-more")).isEqualTo(1);
        assertThat(recipients.messages(ann, rows.young)).isZero();
        rows.run(
                "update retraction set withdrawn_by = retracted_by, withdrawn_at = now(), withdrawal = 'no' where version = :run",
                Map.of("run", rerun));
        tell(at);
        assertThat(recipients.messages(ann, rows.young)).isEqualTo(1);
    }

    @Test
    void people_get_what_they_chose_while_they_belong_to_the_workspace() {
        Recipient viewer = recipients.add("viewer");
        Recipient left = recipients.add("member");
        Recipient silent = recipients.add("owner");
        Recipient keen = recipients.add("viewer");
        recipients.choose(silent, NoticeKind.FASTER, NoticeKind.FAILS_MORE);
        recipients.choose(keen, NoticeKind.SLOWER);
        recipients.choose(ann, NoticeKind.FASTER);
        SuspectRows slower = told(1.2);
        SuspectRows faster = new SuspectRows(service, "public");
        faster.suspect("plain", CPU, faster.good, 1.2, 1);
        confirm(faster, 1 / 1.2);
        tell(later());
        recipients.leave(left);
        send(later());
        assertThat(recipients.messages(viewer, slower.young)).isZero();
        assertThat(recipients.messages(silent, slower.young)).isZero();
        assertThat(recipients.messages(ann, slower.young)).isZero();
        assertThat(server.to(keen.email())).hasSize(1);
        assertThat(server.to(silent.email())).hasSize(1);
        assertThat(server.to(ann.email())).hasSize(1);
        assertThat(server.to(left.email())).isEmpty();
        assertThat(recipients.newest(left, "state")).isEqualTo("dead");
        assertThat(recipients.newest(left, "last_error")).contains("belongs to the workspace no more");
        List.of(viewer, silent, keen).forEach(recipients::leave);
    }

    @Test
    void more_failed_requests_that_a_rerun_finds_are_told_as_that() throws Exception {
        SuspectRows rows = new SuspectRows(service, "public");
        failing(rows);
        assertThat(recipients.notices(rows.young, "slower")).isZero();
        tell(now.plus(Duration.ofHours(4)));
        send(now.plus(Duration.ofHours(4)));
        MimeMessage mail = only(ann);
        assertThat(mail.getSubject()).contains("25.0.2+9 temurin fails more than 25.0.1+9 temurin: 1 change");
        assertThat(mail.getContent().toString())
                .contains("Failed requests: fails more, 5.", "instead of 0.00 % of the requests");
    }

    @Test
    void mail_server_that_is_away_is_tried_again_later_and_given_up_in_the_end() {
        told(1.2);
        server.stop();
        AtomicInteger attempts = new AtomicInteger();
        Instant at = later();
        send(at);
        assertThat(recipients.newest(ann, "state || attempts || resends")).isEqualTo("failed10");
        assertThat(recipients.newest(ann, "last_error")).isNotEqualTo("null");
        send(at.plusSeconds(30));
        assertThat(recipients.newest(ann, "attempts")).as("not before a minute").isEqualTo("1");
        while (recipients.newest(ann, "state").equals("failed") && attempts.incrementAndGet() < 50) {
            at = at.plus(Duration.ofHours(2));
            send(at);
        }
        assertThat(recipients.newest(ann, "state || attempts || resends"))
                .isEqualTo("dead" + OutboxTimes.MOST_ATTEMPTS + "0");
    }

    @Test
    void mail_waits_until_the_quiet_hours_end() {
        LocalTime from = clock(later()).minusHours(1);
        recipients.quiet(ann, "UTC", from, from.plusHours(3));
        told(1.2);
        send(later());
        Instant end = minute(later()).plus(Duration.ofHours(2));
        send(end.minusSeconds(1));
        assertThat(recipients.newest(ann, "state || attempts || resends")).isEqualTo("waiting00");
        assertThat(recipients.newest(ann, "extract(epoch from next_try_at)::bigint"))
                .isEqualTo(Long.toString(end.getEpochSecond()));
        assertThat(server.to(ann.email())).isEmpty();
        send(end);
        assertThat(server.to(ann.email())).hasSize(1);
        assertThat(recipients.newest(ann, "state || attempts || resends")).isEqualTo("sent10");
    }
}
