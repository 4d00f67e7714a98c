package dev.loomboard.outbox;

import dev.loomboard.kernel.Rows;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Who a message goes to, looked up when it is sent: somebody may have left or chosen otherwise since it was written. */
@Repository
class AddresseeStore {

    private final DatabaseClient database;

    AddresseeStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * Empty: the person belongs to the workspace no more, has no proven address, or does not want it any more; a test message is wanted in
     * any case, of a summary {@link MailWriteStore#ofSummary} knows. Plan: primary keys, account_external_id_uq.
     */
    Mono<Addressee> of(OutboxMessage message) {
        return database.sql("""
                        select a.external_id as account, a.email, w.external_id as workspace_id, w.slug, w.name,
                               """ + MailTimesSql.COLUMNS + """

                          from account a
                          join workspace_member m using (account_id)
                          join workspace w using (workspace_id)
                          left join notice n on n.notice_id = :notice
                          left join mail_choice c on (c.account_id, c.workspace_id) = (m.account_id, m.workspace_id)
                         where a.external_id = :account and w.workspace_id = :workspace
                           and a.disabled_at is null and a.email_verified_at is not null and w.deleted_at is null
                           and\s""" + MailChoiceSql.STILL_WANTED)
                .bind("notice", Objects.requireNonNullElse(message.notice(), 0L))
                .bind("account", message.recipient())
                .bind("workspace", message.workspace().value())
                .map(row -> new Addressee(
                        Rows.text(row, "email"),
                        new UnsubscribeLink(Rows.text(row, "account"), Rows.text(row, "workspace_id")),
                        Rows.text(row, "slug"),
                        Rows.text(row, "name"),
                        MailTimesSql.read(row)))
                .one();
    }
}
