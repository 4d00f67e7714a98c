package dev.loomboard.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.MailServer;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.mail.MailService;
import dev.loomboard.mail.MailsBy;
import dev.loomboard.outbox.Recipients.Recipient;
import dev.loomboard.regression.RerunService;
import dev.loomboard.web.PublicUrl;
import jakarta.mail.internet.MimeMessage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;

/** A real database and a real mail server, and what tests of both ask. Replicas are outboxes that know nothing of each other. */
abstract class OutboxRig {

    static final Duration TIMEOUT = Duration.ofMinutes(2);
    static final OutboxTimes TIMES = new OutboxTimes(Duration.ofMinutes(5), Duration.ofHours(3), Duration.ofMinutes(5));
    static final String CPU = "cpu_us_per_request";
    static final String HERE = "127.0.0.41";

    final Service service = Service.shared();
    final RerunService reruns = service.bean(RerunService.class);
    final Recipients recipients = new Recipients(service);
    final MailServer server = MailServer.started(HERE, 0);
    final MailService mails = MailsBy.server(HERE, server.port());
    final Recipient ann = recipients.add("member");
    final Instant now = Instant.now();

    /** What other classes left open would be told with what a test confirms. */
    @BeforeEach
    void nothingIsOpen() {
        recipients.run("update notice set told_at = now() - interval '2 days' where told_at is null", Map.of());
    }

    @AfterEach
    void stop() throws InterruptedException {
        mails.destroy();
        server.stop();
        recipients.leave(ann);
    }

    long notice(SuspectRows rows) {
        return recipients.number("""
                select max(notice_id) from notice join jdk_build using (jdk_build_id) where slug = :build
                """, Map.of("build", rows.young));
    }

    long rows(Recipient who) {
        return recipients.number("select count(*) from outbox where recipient = :id", Map.of("id", who.id()));
    }

    long inSummaries(Recipient who) {
        return recipients.number(
                "select count(*) from summary_notice join outbox using (outbox_id) where recipient = :id",
                Map.of("id", who.id()));
    }

    static Instant minute(Instant at) {
        return at.truncatedTo(ChronoUnit.MINUTES);
    }

    static LocalTime clock(Instant at) {
        return minute(at).atOffset(ZoneOffset.UTC).toLocalTime();
    }

    /** A regression of one cell that is told, and not sent. */
    SuspectRows told(double ratio) {
        SuspectRows rows = new SuspectRows(service, "public");
        rows.suspect("plain", CPU);
        confirm(rows, ratio);
        tell(later());
        return rows;
    }

    /** A rerun finds that a twentieth of the new build's requests fails; gives the rerun. */
    String failing(SuspectRows rows) {
        String suspect = rows.suspect("plain", CPU);
        reruns.followUp().block(TIMEOUT);
        String rerun = Objects.requireNonNull(rows.rerun(suspect));
        rows.run("""
                with t as (
                  insert into trial (external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing, state, validity,
                                     server_digest, fingerprint_hash, started_at, finished_at, end_facts)
                  select new_external_id('trl'), r.workspace_id, r.run_id, c.cell_id, 'scored', n, c.ordinal * 100 + n, 1, 'done',
                         'valid', 'summary', 'host', now() - interval '40 seconds', now(), '{}'
                    from run r join cell c using (run_id), generate_series(1, (r.spec #>> '{trials,scored}')::int) n
                   where r.external_id = :run
                  returning trial_id, cell_id, ordinal)
                insert into trial_metric (trial_id, metric, value, eligible)
                select t.trial_id, 'error_ratio', case when j.slug = :young then 0.05 + 0.001 * (t.ordinal % 3) else 0 end, true
                  from t join cell c using (cell_id) join jdk_build j using (jdk_build_id)
                """, Map.of("run", rerun, "young", rows.young));
        rows.end(rerun, "done");
        reruns.decide().block(TIMEOUT);
        assertThat(rows.column(suspect, "status")).isEqualTo("suspect");
        return rerun;
    }

    /** Reruns all that is suspected; the new build measures so much more. */
    void confirm(SuspectRows rows, double ratio) {
        reruns.followUp().block(TIMEOUT);
        String rerun = rows.text("""
                select r.external_id from run r join machine m using (machine_id)
                 where m.external_id = :machine and r.follow_up and r.state = 'queued' limit 1
                """, Map.of("machine", rows.machine));
        rows.measured(Objects.requireNonNull(rerun), ratio);
        reruns.decide().block(TIMEOUT);
    }

    Instant later() {
        return now.plus(Duration.ofMinutes(30));
    }

    MimeMessage only(Recipient who) {
        List<MimeMessage> got = server.to(who.email());
        assertThat(got).hasSize(1);
        return got.getFirst();
    }

    void tell(Instant at) {
        replica(service.bean(OutboxStore.class), at).tell().block(TIMEOUT);
    }

    void send(Instant at) {
        replica(service.bean(OutboxStore.class), at).send(Duration.ofMinutes(1)).block(TIMEOUT);
    }

    Flux<OutboxService> replicas(int number) {
        return replicas(number, later());
    }

    Flux<OutboxService> replicas(int number, Instant at) {
        return Flux.range(0, number).map(i -> replica(service.bean(OutboxStore.class), at));
    }

    OutboxService replica(OutboxStore store, Instant at) {
        return new OutboxService(
                store,
                List.of(new MailChannelService(
                        service.bean(MailWriteStore.class),
                        service.bean(ToldNoticeStore.class),
                        service.bean(AddresseeStore.class),
                        service.bean(UnsubscribeStore.class),
                        mails,
                        service.bean(PublicUrl.class),
                        Clock.fixed(at, ZoneOffset.UTC))),
                TIMES,
                service.bean(TransactionalOperator.class),
                Clock.fixed(at, ZoneOffset.UTC));
    }
}
