package dev.loomboard.signup;

import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.Secret;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Accounts that were asked for and wait for their address to be proven. */
@Repository
class SignUpStore {

    private final DatabaseClient database;

    SignUpStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param next path to go on to */
    record Pending(String email, String name, String passwordHash, String next) {}

    /** True when the address has an account already; the row is written all the same, which takes the same time. */
    Mono<Boolean> add(Secret link, Pending asked, Instant now, Instant expires) {
        return database.sql("""
                        insert into sign_up (token_hash, email, display_name, password_hash, next, created_at, expires_at)
                        values (:hash, :email, :name, :password, :next, :now, :expires)
                        returning exists (select 1 from account a where a.email = sign_up.email) as taken
                        """)
                .bind("hash", link.hash())
                .bind("email", asked.email())
                .bind("name", asked.name())
                .bind("password", asked.passwordHash())
                .bind("next", asked.next())
                .bind("now", utc(now))
                .bind("expires", utc(expires))
                .map(row -> Rows.flag(row, "taken"))
                .one();
    }

    /** What the link stands for, while it is good. */
    Mono<Pending> byLink(Secret link, Instant now) {
        return database.sql("""
                        select email, display_name, password_hash, next from sign_up
                         where token_hash = :hash and expires_at > :now
                        """)
                .bind("hash", link.hash())
                .bind("now", utc(now))
                .map(row -> new Pending(
                        Rows.text(row, "email"),
                        Rows.text(row, "display_name"),
                        Rows.text(row, "password_hash"),
                        Rows.text(row, "next")))
                .one();
    }

    /** Uses the link up, and with it every other of the address. */
    Mono<Void> remove(String email) {
        return database.sql("delete from sign_up where email = :email")
                .bind("email", email)
                .then();
    }

    Mono<Void> removeExpired(Instant now) {
        return database.sql("delete from sign_up where expires_at <= :now")
                .bind("now", utc(now))
                .then();
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
