package dev.loomboard.credential;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.WireName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Secrets of accounts that are good once and for a short while. */
@Repository
public class AccountLinkStore {

    private final DatabaseClient database;

    AccountLinkStore(DatabaseClient database) {
        this.database = database;
    }

    /** What a secret is good for. */
    public enum Purpose implements WireName {
        /** A new password; who has the link reads mail at the account's address. */
        RESET_MAILED,
        /** A new password; the operator handed the link over. */
        RESET_PRINTED,
        /** The password was right, and a code is asked for. */
        SECOND_STEP;
    }

    public record Link(AccountId account, Purpose purpose) {}

    /** False when no account that may sign in has the address; a row is written all the same, which takes the same time. */
    public Mono<Boolean> addByEmail(Secret secret, String email, Purpose purpose, Instant now, Instant expires) {
        return database.sql("""
                        insert into account_link (token_hash, account_id, purpose, created_at, expires_at)
                        values (:hash, (select account_id from account where email = :email and disabled_at is null),
                                :purpose, :now, :expires)
                        returning account_id is not null as found
                        """)
                .bind("hash", secret.hash())
                .bind("email", email)
                .bind("purpose", purpose.wire())
                .bind("now", utc(now))
                .bind("expires", utc(expires))
                .map(row -> Rows.flag(row, "found"))
                .one();
    }

    public Mono<Void> add(Secret secret, AccountId account, Purpose purpose, Instant now, Instant expires) {
        return database.sql("""
                        insert into account_link (token_hash, account_id, purpose, created_at, expires_at)
                        values (:hash, :account, :purpose, :now, :expires)
                        """)
                .bind("hash", secret.hash())
                .bind("account", account.value())
                .bind("purpose", purpose.wire())
                .bind("now", utc(now))
                .bind("expires", utc(expires))
                .then();
    }

    /** Whose the secret is and what for, while it is good. */
    public Mono<Link> find(Secret secret, Instant now) {
        return database.sql("""
                        select account_id, purpose from account_link
                         where token_hash = :hash and expires_at > :now and account_id is not null
                        """)
                .bind("hash", secret.hash())
                .bind("now", utc(now))
                .map(row -> new Link(
                        new AccountId(Rows.number(row, "account_id")),
                        WireName.of(Purpose.class, Rows.text(row, "purpose"))))
                .one();
    }

    /** Uses it up; false when somebody was faster. */
    public Mono<Boolean> take(Secret secret) {
        return database.sql("delete from account_link where token_hash = :hash")
                .bind("hash", secret.hash())
                .fetch()
                .rowsUpdated()
                .map(taken -> taken > 0);
    }

    public Mono<Void> removeAll(AccountId account) {
        return database.sql("delete from account_link where account_id = :account")
                .bind("account", account.value())
                .then();
    }

    public Mono<Void> removeExpired(Instant now) {
        return database.sql("delete from account_link where expires_at <= :now")
                .bind("now", utc(now))
                .then();
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
