package dev.loomboard.account;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.Secret;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Accounts, and the one-time links that make the first of them. */
@Repository
class AccountStore {

    /** Slug of the workspace that every installation has from the start. */
    private static final String DEFAULT_WORKSPACE = "main";

    private final DatabaseClient database;

    AccountStore(DatabaseClient database) {
        this.database = database;
    }

    /** What signing in needs of an account that is not disabled. */
    record Login(AccountId account, String id, String email, String passwordHash) {

        Login withPasswordHash(String changed) {
            return new Login(account, id, email, changed);
        }
    }

    Mono<Login> byEmail(String email) {
        return database.sql("""
                        select account_id, external_id, email, password_hash
                          from account where email = :email and disabled_at is null
                        """).bind("email", email).map(AccountStore::login).one();
    }

    Mono<Login> byId(AccountId account) {
        return database.sql("""
                        select account_id, external_id, email, password_hash
                          from account where account_id = :account and disabled_at is null
                        """)
                .bind("account", account.value())
                .map(AccountStore::login)
                .one();
    }

    Mono<Void> changePassword(AccountId account, String passwordHash) {
        return database.sql("update account set password_hash = :hash where account_id = :account")
                .bind("hash", passwordHash)
                .bind("account", account.value())
                .then();
    }

    /** @param sessions its own, found before; empty when it may not sign in */
    Mono<OwnAccount> own(AccountId account, List<SessionView> sessions) {
        return database.sql("""
                        select external_id, display_name, email, email_verified_at, administrator,
                               exists (select 1 from account_totp t
                                        where t.account_id = a.account_id and t.confirmed_at is not null) as two_step
                          from account a where account_id = :account and disabled_at is null
                        """)
                .bind("account", account.value())
                .map(row -> new OwnAccount(
                        Rows.text(row, "external_id"),
                        Rows.text(row, "display_name"),
                        Rows.text(row, "email"),
                        Rows.instantOrNull(row, "email_verified_at"),
                        Rows.flag(row, "administrator"),
                        Rows.flag(row, "two_step"),
                        sessions))
                .one();
    }

    /** Empty when the address has an account. @param verified null: its address is not proven */
    Mono<Login> add(NewAccount account, String passwordHash, @Nullable Instant verified) {
        return database.sql("""
                        insert into account (external_id, email, display_name, password_hash, email_verified_at)
                        values (:id, :email, :name, :hash, :verified)
                        on conflict (email) do nothing
                        returning account_id, external_id, email, password_hash
                        """)
                .bind("id", ExternalId.random("acc").value())
                .bind("email", account.email())
                .bind("name", account.name())
                .bind("hash", passwordHash)
                .bind(
                        "verified",
                        Parameter.fromOrEmpty(
                                verified == null ? null : verified.atOffset(ZoneOffset.UTC), OffsetDateTime.class))
                .map(AccountStore::login)
                .one();
    }

    Mono<Void> verified(AccountId account, Instant now) {
        return database.sql(
                        "update account set email_verified_at = coalesce(email_verified_at, :now) where account_id = :account")
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("account", account.value())
                .then();
    }

    /** Adds an administrator who owns the default workspace. */
    Mono<Login> addAdministrator(NewAccount account, String passwordHash) {
        return database.sql("""
                        with added as (
                          insert into account (external_id, email, display_name, password_hash, administrator)
                          values (:id, :email, :name, :hash, true)
                          returning account_id, external_id, email, password_hash
                        ), member as (
                          insert into workspace_member (workspace_id, account_id, role)
                          select w.workspace_id, a.account_id, 'owner' from workspace w, added a where w.slug = :slug
                        )
                        select account_id, external_id, email, password_hash from added
                        """)
                .bind("id", ExternalId.random("acc").value())
                .bind("email", account.email())
                .bind("name", account.name())
                .bind("hash", passwordHash)
                .bind("slug", DEFAULT_WORKSPACE)
                .map(AccountStore::login)
                .one();
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

    /** Revokes the operator's tokens of earlier starts. @param kept null: all of them */
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
                .bind("slug", DEFAULT_WORKSPACE)
                .then();
    }

    private static Login login(Readable row) {
        return new Login(
                new AccountId(Objects.requireNonNull(row.get("account_id", Long.class))),
                Objects.requireNonNull(row.get("external_id", String.class)),
                Objects.requireNonNull(row.get("email", String.class)),
                Objects.requireNonNull(row.get("password_hash", String.class)));
    }
}
