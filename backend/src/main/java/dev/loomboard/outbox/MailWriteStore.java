package dev.loomboard.outbox;

import dev.loomboard.kernel.Rows;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Writes mails to the outbox: one of a notice for each person who wants it at once, one of a day for each who wants a summary. */
@Repository
class MailWriteStore {

    private static final int MOST_READERS = 10_000;
    private static final int MOST_NOTICES = 50;

    /** Members who want it and whose address is proven. Plan: workspace_member_pk, mail_choice_pk. */
    private static final String WANTED = """
              from notice n
              join workspace_member m using (workspace_id)
              join account a using (account_id)
              left join mail_choice c on (c.account_id, c.workspace_id) = (m.account_id, m.workspace_id)
             where n.notice_id = :notice and a.disabled_at is null and a.email_verified_at is not null
               and n.kind = any(""" + MailChoiceSql.KINDS + ")";

    private final DatabaseClient database;

    MailWriteStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param account external id */
    record Reader(String account, MailTimes times) {}

    Mono<Void> atOnce(long notice, Instant now) {
        return database.sql("""
                        insert into outbox (workspace_id, notice_id, channel, recipient, created_at, next_try_at)
                        select n.workspace_id, n.notice_id, 'mail', a.external_id, :now, :now
                        """ + WANTED + """

                           and c.summary_at is null
                        on conflict on constraint outbox_message_uq do nothing
                        """)
                .bind("notice", notice)
                .bind("now", at(now))
                .then();
    }

    /** Who wants the notice in a summary. Nobody else writes summaries until the transaction ends, or two would wait for each other. */
    Flux<Reader> summaryReaders(long notice) {
        return database.sql("select pg_advisory_xact_lock(hashtextextended('summary', 0))")
                .then()
                .thenMany(database.sql("select a.external_id, " + MailTimesSql.COLUMNS + WANTED + """

                           and c.summary_at is not null order by a.account_id limit :most
                        """)
                        .bind("notice", notice)
                        .bind("most", MOST_READERS)
                        .map(row -> new Reader(Rows.text(row, "external_id"), MailTimesSql.read(row)))
                        .all());
    }

    /** False: that summary is being sent already, or is over. Plan: outbox_summary_uq. */
    Mono<Boolean> addToSummary(long notice, String account, Instant summary, Instant now) {
        return database.sql("""
                        with d as (
                          insert into outbox (workspace_id, channel, recipient, summary_at, created_at, next_try_at)
                          select n.workspace_id, 'mail', :account, :summary, :now, :summary from notice n where n.notice_id = :notice
                          on conflict (recipient, workspace_id, summary_at) where summary_at is not null
                            do update set created_at = outbox.created_at where outbox.state = 'waiting' and outbox.attempts = 0
                          returning outbox_id)
                        insert into summary_notice (outbox_id, notice_id) select outbox_id, :notice from d
                        """)
                .bind("notice", notice)
                .bind("account", account)
                .bind("summary", at(summary))
                .bind("now", at(now))
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** Keys of the notices of a summary, as far as the person still wants such, the oldest first. Plan: summary_notice_pk, primary keys. */
    Mono<List<Long>> ofSummary(OutboxMessage message) {
        return database.sql("""
                        select n.notice_id
                          from summary_notice d
                          join notice n using (notice_id)
                          join account a on a.external_id = :account
                          left join mail_choice c on (c.account_id, c.workspace_id) = (a.account_id, n.workspace_id)
                         where d.outbox_id = :key and\s""" + MailChoiceSql.STILL_WANTED + """
                         order by n.told_at, n.notice_id limit :most
                        """)
                .bind("account", message.recipient())
                .bind("key", message.key())
                .bind("most", MOST_NOTICES)
                .map(row -> Rows.number(row, "notice_id"))
                .all()
                .collectList();
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
