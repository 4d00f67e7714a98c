package dev.loomboard.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.regression.RetractedTest;
import jakarta.mail.internet.MimeMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** What somebody gets once a day in place of each mail. */
@OneAtATime
final class SummaryMailTest extends OutboxRig {

    @Test
    void summary_is_one_mail_with_what_stands_of_all_notices_since() throws Exception {
        Instant at = minute(later()).plus(Duration.ofHours(2));
        recipients.summary(ann, "UTC", clock(at));
        recipients.choose(ann, NoticeKind.values());
        SuspectRows retracted = told(1.2);
        SuspectRows slower = told(1.2);
        SuspectRows faster = new SuspectRows(service, "public");
        faster.suspect("plain", CPU, faster.good, 1.2, 1);
        confirm(faster, 1 / 1.2);
        tell(later().plus(Duration.ofHours(1)));
        RetractedTest.retract(retracted);
        send(at.minusSeconds(1));
        assertThat(server.to(ann.email())).isEmpty();
        replicas(4, at)
                .flatMap(replica -> replica.send(Duration.ofMinutes(1)).subscribeOn(Schedulers.parallel()))
                .blockLast(TIMEOUT);
        MimeMessage mail = only(ann);
        assertThat(mail.getSubject()).isEqualTo("[main] Daily summary: 2 notices with 2 changes");
        assertThat(mail.getMessageID()).isEqualTo("<" + recipients.newest(ann, "message_id") + "@example.org>");
        assertThat(mail.getHeader("List-Unsubscribe-Post")).containsExactly("List-Unsubscribe=One-Click");
        String text = mail.getContent().toString();
        Files.writeString(Path.of("target/first-summary.txt"), text); // to be read as its receiver would
        assertThat(text)
                .contains(
                        "== 1 of 2 ==", "is slower than", "== 2 of 2 ==", "is faster than", slower.young, faster.young)
                .doesNotContain(retracted.young);
        assertThat(rows(ann)).isEqualTo(1);
    }

    @Test
    void replicas_that_tell_at_once_make_one_summary_and_none_is_added_to_once_it_is_sent() {
        MailWriteStore writes = service.bean(MailWriteStore.class);
        TransactionalOperator transaction = service.bean(TransactionalOperator.class);
        List<Long> notices =
                Stream.of(told(1.2), told(1.2), told(1.2)).map(this::notice).toList();
        recipients.run("delete from outbox where recipient = :id", Map.of("id", ann.id()));
        Instant at = minute(later()).plus(Duration.ofHours(2));
        recipients.summary(ann, "UTC", clock(at));
        Flux.fromIterable(notices)
                .repeat(1)
                .flatMap(notice -> writes.addToSummary(notice, ann.id(), at, now)
                        .as(transaction::transactional)
                        .onErrorReturn(DataIntegrityViolationException.class, false) // it is in the summary already
                        .subscribeOn(Schedulers.parallel()))
                .blockLast(TIMEOUT);
        assertThat(rows(ann)).isEqualTo(1);
        assertThat(inSummaries(ann)).isEqualTo(3);
        recipients.run("""
                update outbox set state = 'sending', attempts = 1, lease_until = now() + interval '1 day'
                 where recipient = :id
                """, Map.of("id", ann.id()));
        told(1.2);
        assertThat(rows(ann)).as("a summary of the next day").isEqualTo(2);
        assertThat(recipients.newest(ann, "extract(epoch from summary_at)::bigint"))
                .isEqualTo(Long.toString(at.plus(Duration.ofDays(1)).getEpochSecond()));
        assertThat(inSummaries(ann)).isEqualTo(4);
    }

    @Test
    void summary_of_what_its_reader_no_longer_wants_is_not_sent() {
        Instant at = minute(later()).plus(Duration.ofHours(2));
        recipients.summary(ann, "UTC", clock(at));
        told(1.2);
        recipients.choose(ann, NoticeKind.FASTER, NoticeKind.FAILS_MORE);
        send(at);
        assertThat(server.to(ann.email())).isEmpty();
        assertThat(recipients.newest(ann, "state")).isEqualTo("dead");
    }
}
