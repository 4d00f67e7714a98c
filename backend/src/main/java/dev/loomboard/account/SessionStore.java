package dev.loomboard.account;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Secret;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** The rows of signed-in browsers. */
@Repository
class SessionStore {

    private final DatabaseClient database;

    SessionStore(DatabaseClient database) {
        this.database = database;
    }

    Mono<Void> begin(Secret session, AccountId account, Instant now, Instant expires) {
        return database.sql("""
                        insert into session (token_hash, account_id, created_at, last_seen_at, expires_at)
                        values (:hash, :account, :now, :now, :expires)
                        """)
                .bind("hash", session.hash())
                .bind("account", account.value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("expires", expires.atOffset(ZoneOffset.UTC))
                .then();
    }

    Mono<Void> seen(Secret session, Instant now) {
        return database.sql("update session set last_seen_at = :now where token_hash = :hash")
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("hash", session.hash())
                .then();
    }

    Mono<Void> end(Secret session) {
        return database.sql("delete from session where token_hash = :hash")
                .bind("hash", session.hash())
                .then();
    }

    /** Ends every session of an account: after a change of password no old one lives on. */
    Mono<Void> endAll(AccountId account) {
        return database.sql("delete from session where account_id = :account")
                .bind("account", account.value())
                .then();
    }

    Mono<Void> endExpired(Instant now) {
        return database.sql("delete from session where expires_at <= :now")
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .then();
    }
}
