package dev.loomboard.account;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Rows;
import dev.loomboard.session.SessionView;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** An account as its person sees it. */
@Repository
class OwnAccountStore {

    private final DatabaseClient database;

    OwnAccountStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * Empty when it may not sign in.
     *
     * @param sessions its own, found before
     * @param issuer of the provider that it may be linked with; blank: there is none
     */
    Mono<OwnAccount> find(AccountId account, List<SessionView> sessions, String issuer) {
        return database.sql("""
                        select external_id, display_name, email, email_verified_at, administrator, has_password,
                               exists (select 1 from account_totp t
                                        where t.account_id = a.account_id and t.confirmed_at is not null) as two_step,
                               exists (select 1 from openid_identity i
                                        where i.account_id = a.account_id and i.issuer = :issuer) as linked
                          from account a where account_id = :account and disabled_at is null
                        """)
                .bind("account", account.value())
                .bind("issuer", issuer)
                .map(row -> new OwnAccount(
                        Rows.text(row, "external_id"),
                        Rows.text(row, "display_name"),
                        Rows.text(row, "email"),
                        Rows.instantOrNull(row, "email_verified_at"),
                        Rows.flag(row, "administrator"),
                        Rows.flag(row, "two_step"),
                        Rows.flag(row, "has_password"),
                        Rows.flag(row, "linked"),
                        sessions))
                .one();
    }
}
