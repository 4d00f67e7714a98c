package dev.loomboard.session;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.Secret;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** The rows of signed-in browsers. */
@Repository
public class SessionStore {

    private final DatabaseClient database;

    SessionStore(DatabaseClient database) {
        this.database = database;
    }

    public Mono<Void> begin(Secret session, AccountId account, Visitor visitor, Instant now, Instant expires) {
        return database.sql("""
                        insert into session (token_hash, account_id, address, browser, created_at, last_seen_at, expires_at)
                        values (:hash, :account, :address, :browser, :now, :now, :expires)
                        """)
                .bind("hash", session.hash())
                .bind("account", account.value())
                .bind("address", visitor.address())
                .bind("browser", visitor.browser())
                .bind("now", utc(now))
                .bind("expires", utc(expires))
                .then();
    }

    public Mono<Void> seen(Secret session, Instant now) {
        return database.sql("update session set last_seen_at = :now where token_hash = :hash")
                .bind("now", utc(now))
                .bind("hash", session.hash())
                .then();
    }

    /**
     * Those that are good, the last used first.
     *
     * @param unusedSince sessions without use since then have ended
     */
    public Mono<List<SessionView>> of(AccountId account, Secret current, Instant now, Instant unusedSince) {
        return database.sql("""
                        select external_id, created_at, last_seen_at, expires_at, address, browser,
                               token_hash = :current as current
                          from session
                         where account_id = :account and expires_at > :now and last_seen_at > :unused
                         order by token_hash = :current desc, last_seen_at desc, session_id desc
                         limit 200
                        """)
                .bind("account", account.value())
                .bind("current", current.hash())
                .bind("now", utc(now))
                .bind("unused", utc(unusedSince))
                .map(row -> new SessionView(
                        Rows.text(row, "external_id"),
                        Rows.instant(row, "created_at"),
                        Rows.instant(row, "last_seen_at"),
                        Rows.instant(row, "expires_at"),
                        Rows.textOrNull(row, "address"),
                        Rows.textOrNull(row, "browser"),
                        Rows.flag(row, "current")))
                .all()
                .collectList();
    }

    public Mono<Void> end(Secret session) {
        return database.sql("delete from session where token_hash = :hash")
                .bind("hash", session.hash())
                .then();
    }

    /** False: the account has no such session. */
    public Mono<Boolean> end(AccountId account, String id) {
        return database.sql("delete from session where account_id = :account and external_id = :id")
                .bind("account", account.value())
                .bind("id", id)
                .fetch()
                .rowsUpdated()
                .map(ended -> ended > 0);
    }

    /** Ends all but one. */
    public Mono<Void> endOthers(AccountId account, Secret kept) {
        return database.sql("delete from session where account_id = :account and token_hash <> :kept")
                .bind("account", account.value())
                .bind("kept", kept.hash())
                .then();
    }

    /** Ends every session of an account: after a change of password no old one lives on. */
    public Mono<Void> endAll(AccountId account) {
        return database.sql("delete from session where account_id = :account")
                .bind("account", account.value())
                .then();
    }

    public Mono<Void> endExpired(Instant now, Instant unusedSince) {
        return database.sql("delete from session where expires_at <= :now or last_seen_at <= :unused")
                .bind("now", utc(now))
                .bind("unused", utc(unusedSince))
                .then();
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
