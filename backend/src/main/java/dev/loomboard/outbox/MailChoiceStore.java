package dev.loomboard.outbox;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.WireName;
import dev.loomboard.notice.NoticeKindSql;
import dev.loomboard.outbox.MailTimes.QuietHours;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** What people chose to be mailed, and what came of their mails. */
@Repository
class MailChoiceStore {

    private static final int MOST_SENT = 20;
    private static final int MOST_WORKSPACES = 200;
    private static final int TESTS = 3;

    private final DatabaseClient database;

    MailChoiceStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param proven somebody who reads mails to it has shown that */
    record Address(String email, boolean proven) {}

    Mono<Address> address(Caller.Person person) {
        return database.sql(
                        "select email, email_verified_at is not null as proven from account where account_id = :account")
                .bind("account", person.account().value())
                .map(row -> new Address(Rows.text(row, "email"), Rows.flag(row, "proven")))
                .one();
    }

    /** Of each workspace that the person belongs to, by name. Plan: workspace_member_account_ix, primary keys. */
    Mono<List<MailChoice>> of(Caller.Person person) {
        return database.sql("""
                        select w.slug, w.name, """ + MailChoiceSql.KINDS + " as kinds, " + MailTimesSql.COLUMNS + """

                          from workspace_member m
                          join workspace w using (workspace_id)
                          left join mail_choice c using (account_id, workspace_id)
                         where m.account_id = :account and w.deleted_at is null
                         order by w.name, w.slug limit :most
                        """)
                .bind("account", person.account().value())
                .bind("most", MOST_WORKSPACES)
                .map(row -> new MailChoice(
                        Rows.text(row, "slug"),
                        Rows.text(row, "name"),
                        NoticeKindSql.chosen(row),
                        MailTimesSql.read(row)))
                .all()
                .collectList();
    }

    /** Empty: the person belongs to no such workspace. */
    Mono<String> put(Caller.Person person, NewMailChoice choice) {
        MailTimes times = choice.times();
        QuietHours quiet = times.quiet();
        return database.sql("""
                        insert into mail_choice (account_id, workspace_id, kinds, zone, quiet_from, quiet_to, summary_at)
                        select m.account_id, m.workspace_id, :kinds, :zone, :quietFrom, :quietTo, :summaryAt
                          from workspace_member m join workspace w using (workspace_id)
                         where m.account_id = :account and w.slug = :workspace and w.deleted_at is null
                        on conflict on constraint mail_choice_pk
                          do update set kinds = excluded.kinds, zone = excluded.zone, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
                                        summary_at = excluded.summary_at
                        returning :workspace as workspace
                        """)
                .bind("account", person.account().value())
                .bind("workspace", choice.workspace())
                .bind("kinds", NoticeKindSql.names(choice.kinds()))
                .bind("zone", times.zone().getId())
                .bind("quietFrom", Parameter.fromOrEmpty(quiet == null ? null : quiet.from(), LocalTime.class))
                .bind("quietTo", Parameter.fromOrEmpty(quiet == null ? null : quiet.to(), LocalTime.class))
                .bind("summaryAt", Parameter.fromOrEmpty(times.summary(), LocalTime.class))
                .map(row -> Rows.text(row, "workspace"))
                .one();
    }

    /** The newest first. Plan: outbox_recipient_ix, primary keys. */
    Mono<List<SentMail>> sent(Caller.Person person) {
        return database.sql("""
                        select o.created_at, w.slug as workspace, o.state, o.attempts, o.resends, o.sent_at, o.next_try_at, o.last_error,
                               o.summary_at is not null as summary, """ + NoticeTitleSql.COLUMNS + """

                          from outbox o
                          join workspace w on w.workspace_id = o.workspace_id
                        """ + NoticeTitleSql.JOIN + """
                         where o.recipient = :account and o.channel = 'mail'
                         order by o.outbox_id desc limit :most
                        """)
                .bind("account", person.id())
                .bind("most", MOST_SENT)
                .map(row -> new SentMail(
                        Rows.instant(row, "created_at"),
                        Rows.text(row, "workspace"),
                        title(row),
                        WireName.of(MessageState.class, Rows.text(row, "state")),
                        Rows.whole(row, "attempts"),
                        Rows.whole(row, "resends"),
                        Rows.instantOrNull(row, "sent_at"),
                        Rows.instant(row, "next_try_at"),
                        Rows.textOrNull(row, "last_error")))
                .all()
                .collectList();
    }

    /** One at a time asks for a test mail of a person, in the caller's transaction. */
    Mono<Void> lock(Caller.Person person) {
        return database.sql("select 1 from account where account_id = :account for no key update")
                .bind("account", person.account().value())
                .then();
    }

    /** False: there were enough within an hour, or the person belongs to no such workspace. */
    Mono<Boolean> addTest(Caller.Person person, String workspace, Instant now) {
        return database.sql("""
                        insert into outbox (workspace_id, channel, recipient, created_at, next_try_at)
                        select m.workspace_id, 'mail', :recipient, :now, :now
                          from workspace_member m join workspace w using (workspace_id)
                         where m.account_id = :account and w.slug = :workspace and w.deleted_at is null
                           and (select count(*) from outbox o
                                 where o.recipient = :recipient and o.notice_id is null and o.summary_at is null
                                   and o.created_at > :now::timestamptz - interval '1 hour') < :tests
                        """)
                .bind("recipient", person.id())
                .bind("account", person.account().value())
                .bind("workspace", workspace)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("tests", TESTS)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    private static String title(Readable row) {
        return Rows.flag(row, "summary")
                ? "Daily summary"
                : Objects.requireNonNullElse(NoticeTitleSql.title(row), "Test mail");
    }
}
