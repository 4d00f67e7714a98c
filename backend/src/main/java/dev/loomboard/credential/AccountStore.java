package dev.loomboard.credential;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.ExternalId;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Accounts, and what signing in needs of them. */
@Repository
public class AccountStore {

    /** Slug of the workspace that every installation has from the start. */
    public static final String DEFAULT_WORKSPACE = "main";

    private final DatabaseClient database;

    AccountStore(DatabaseClient database) {
        this.database = database;
    }

    /** What signing in needs of an account that is not disabled. */
    public record Login(AccountId account, String id, String email, String passwordHash) {

        public Login withPasswordHash(String changed) {
            return new Login(account, id, email, changed);
        }
    }

    public Mono<Login> byEmail(String email) {
        return database.sql("""
                        select account_id, external_id, email, password_hash
                          from account where email = :email and disabled_at is null
                        """).bind("email", email).map(AccountStore::login).one();
    }

    public Mono<Login> byId(AccountId account) {
        return database.sql("""
                        select account_id, external_id, email, password_hash
                          from account where account_id = :account and disabled_at is null
                        """)
                .bind("account", account.value())
                .map(AccountStore::login)
                .one();
    }

    public Mono<Void> changePassword(AccountId account, String passwordHash) {
        return database.sql("""
                        update account set password_hash = :hash, has_password = true where account_id = :account
                        """)
                .bind("hash", passwordHash)
                .bind("account", account.value())
                .then();
    }

    /**
     * Empty when the address has an account.
     *
     * @param verified null: its address is not proven
     */
    public Mono<Login> add(NewAccount account, String passwordHash, @Nullable Instant verified) {
        return add(account, passwordHash, true, verified);
    }

    /**
     * The same, of somebody who has no password.
     *
     * @param nobodys a hash that no password fits
     */
    public Mono<Login> addWithoutPassword(NewAccount account, String nobodys, @Nullable Instant verified) {
        return add(account, nobodys, false, verified);
    }

    private Mono<Login> add(NewAccount account, String passwordHash, boolean hasPassword, @Nullable Instant verified) {
        return database.sql("""
                        insert into account (external_id, email, display_name, password_hash, has_password, email_verified_at)
                        values (:id, :email, :name, :hash, :has, :verified)
                        on conflict (email) do nothing
                        returning account_id, external_id, email, password_hash
                        """)
                .bind("id", ExternalId.random("acc").value())
                .bind("email", account.email())
                .bind("name", account.name())
                .bind("hash", passwordHash)
                .bind("has", hasPassword)
                .bind(
                        "verified",
                        Parameter.fromOrEmpty(
                                verified == null ? null : verified.atOffset(ZoneOffset.UTC), OffsetDateTime.class))
                .map(AccountStore::login)
                .one();
    }

    /** Takes the account's identities at providers away while its address was never proven. */
    public Mono<Void> unlinkUnproven(AccountId account) {
        return database.sql("""
                        delete from openid_identity
                         where account_id = (select account_id from account
                                              where account_id = :account and email_verified_at is null)
                        """).bind("account", account.value()).then();
    }

    public Mono<Void> verified(AccountId account, Instant now) {
        return database.sql(
                        "update account set email_verified_at = coalesce(email_verified_at, :now) where account_id = :account")
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("account", account.value())
                .then();
    }

    /** Adds an administrator who owns the default workspace. */
    public Mono<Login> addAdministrator(NewAccount account, String passwordHash) {
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

    private static Login login(Readable row) {
        return new Login(
                new AccountId(Objects.requireNonNull(row.get("account_id", Long.class))),
                Objects.requireNonNull(row.get("external_id", String.class)),
                Objects.requireNonNull(row.get("email", String.class)),
                Objects.requireNonNull(row.get("password_hash", String.class)));
    }
}
