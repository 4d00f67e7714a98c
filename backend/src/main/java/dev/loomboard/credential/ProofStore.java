package dev.loomboard.credential;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.Secret;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** How people who are signed in prove again who they are. */
@Repository
class ProofStore {

    private final DatabaseClient database;

    ProofStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * Empty when it may not sign in.
     *
     * @param session the one that asks; null: there is none
     * @param since when the provider has to have proven them at the earliest
     */
    Mono<ProofAsked.Way> wayToProve(AccountId account, @Nullable Secret session, Instant since) {
        return database.sql("""
                        select has_password,
                               exists (select 1 from session s where s.account_id = a.account_id
                                                                 and s.token_hash = :session and s.proven_at > :since) as proven
                          from account a where account_id = :account and disabled_at is null
                        """)
                .bind("account", account.value())
                .bind("session", session == null ? new byte[0] : session.hash())
                .bind("since", utc(since))
                .map(row -> Rows.flag(row, "has_password")
                        ? ProofAsked.Way.PASSWORD
                        : Rows.flag(row, "proven") ? ProofAsked.Way.NOTHING : ProofAsked.Way.PROVIDER)
                .one();
    }

    /** Notes that the session's person has just signed in again at the provider. */
    Mono<Void> proven(AccountId account, Secret session, Instant now) {
        return database.sql("update session set proven_at = :now where account_id = :account and token_hash = :session")
                .bind("now", utc(now))
                .bind("account", account.value())
                .bind("session", session.hash())
                .then();
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
