package dev.loomboard.outbox;

import dev.loomboard.kernel.Rows;
import dev.loomboard.web.PeopleUrls;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Signs links that end mails, reads them, and does what they say. */
@Repository
class UnsubscribeStore {

    private final DatabaseClient database;

    UnsubscribeStore(DatabaseClient database) {
        this.database = database;
    }

    /** The path of the page that ends such mails. */
    Mono<String> address(UnsubscribeLink link) {
        return secret().map(secret -> PeopleUrls.unsubscribe(link.signed(secret)));
    }

    /** Empty: the service did not sign it. */
    Mono<UnsubscribeLink> read(String signed) {
        return secret().flatMap(secret -> Mono.justOrEmpty(UnsubscribeLink.read(signed, secret)));
    }

    /** The workspace's name; empty: it or the account is gone. */
    Mono<String> workspace(UnsubscribeLink link) {
        return database.sql("""
                        select w.name from workspace w, account a
                         where w.external_id = :workspace and a.external_id = :account and w.deleted_at is null
                           and a.disabled_at is null
                        """)
                .bind("workspace", link.workspace())
                .bind("account", link.account())
                .map(row -> Rows.text(row, "name"))
                .one();
    }

    /** No mail of the workspace goes to the person any more, until the person chooses some again. */
    Mono<Void> end(UnsubscribeLink link) {
        return database.sql("""
                        insert into mail_choice (account_id, workspace_id, kinds)
                        select a.account_id, w.workspace_id, '{}' from account a, workspace w
                         where a.external_id = :account and w.external_id = :workspace
                        on conflict on constraint mail_choice_pk do update set kinds = '{}'
                        """)
                .bind("account", link.account())
                .bind("workspace", link.workspace())
                .then();
    }

    private Mono<byte[]> secret() {
        return database.sql("select secret from unsubscribe_key")
                .map(row -> Objects.requireNonNull(row.get("secret", byte[].class)))
                .one();
    }
}
