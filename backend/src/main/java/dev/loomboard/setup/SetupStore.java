package dev.loomboard.setup;

import dev.loomboard.credential.AccountStore;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** The one-time links that make the first administrator, and the operator's own token. */
@Repository
class SetupStore {

    private final DatabaseClient database;

    SetupStore(DatabaseClient database) {
        this.database = database;
    }

    /** True while nobody can administer the installation. */
    Mono<Boolean> lacksAdministrator() {
        return database.sql(
                        "select not exists (select 1 from account where administrator and disabled_at is null) as lacks")
                .map(row -> Boolean.TRUE.equals(row.get("lacks", Boolean.class)))
                .one();
    }

    Mono<Void> addSetupLink(Secret link, Instant now, Instant expires) {
        return database.sql(
                        "insert into setup_link (token_hash, created_at, expires_at) values (:hash, :now, :expires)")
                .bind("hash", link.hash())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("expires", expires.atOffset(ZoneOffset.UTC))
                .then();
    }

    /** True when the link may still be used: unused, not expired, and nobody has become administrator by another. */
    Mono<Boolean> setupLinkWorks(Secret link, Instant now) {
        return database.sql("""
                        select exists (select 1 from setup_link
                                        where token_hash = :hash and used_at is null and expires_at > :now)
                               and not exists (select 1 from account where administrator and disabled_at is null) as works
                        """)
                .bind("hash", link.hash())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> Boolean.TRUE.equals(row.get("works", Boolean.class)))
                .one();
    }

    /**
     * Takes the link and with it every other; false when it was not there to take. The table lock lets only one of two
     * people who hold different links through; it is held for one short transaction, once in an installation's life.
     */
    Mono<Boolean> useSetupLink(Secret link, Instant now) {
        return database.sql("lock table setup_link in exclusive mode")
                .then()
                .then(setupLinkWorks(link, now))
                .flatMap(works -> works ? useAllLinks(now).thenReturn(true) : Mono.just(false));
    }

    private Mono<Void> useAllLinks(Instant now) {
        return database.sql("update setup_link set used_at = :now where used_at is null")
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .then();
    }

    /**
     * Revokes the operator's tokens of earlier starts.
     *
     * @param kept null: all of them
     */
    Mono<Void> revokeBootstrapTokens(@Nullable Secret kept, Instant now) {
        return database.sql("""
                        update api_token set revoked_at = :now
                         where name = 'bootstrap' and created_by is null and revoked_at is null
                           and token_hash is distinct from :kept
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("kept", Parameter.fromOrEmpty(kept == null ? null : kept.hash(), byte[].class))
                .then();
    }

    /** Stores a token that the installation's operator gave; one of an earlier start is good again. */
    Mono<Void> addBootstrapToken(Secret token, String[] scopes) {
        return database.sql("""
                        insert into api_token (external_id, workspace_id, name, token_hash, last4, scopes)
                        select :id, w.workspace_id, 'bootstrap', :hash, :last4, :scopes
                          from workspace w where w.slug = :slug
                        on conflict (token_hash) do update set revoked_at = null
                          where api_token.name = 'bootstrap' and api_token.created_by is null
                        """)
                .bind("id", ExternalId.random("tok").value())
                .bind("hash", token.hash())
                .bind("last4", token.last4())
                .bind("scopes", scopes)
                .bind("slug", AccountStore.DEFAULT_WORKSPACE)
                .then();
    }
}
