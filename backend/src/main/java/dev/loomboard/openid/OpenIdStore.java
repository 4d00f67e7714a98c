package dev.loomboard.openid;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.WireName;
import dev.loomboard.openid.Visit.Errand;
import dev.loomboard.openid.Visit.Purpose;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Whose account an identity at a provider signs in to, and browsers that are on their way there. */
@Repository
class OpenIdStore {

    /** Browsers on their way at once; an attacker needs as many in ten minutes, from fifty addresses, to fill the table. */
    private static final int MOST_VISITS = 10_000;

    private final DatabaseClient database;

    OpenIdStore(DatabaseClient database) {
        this.database = database;
    }

    /** False: too many are on their way. The count reads the index of at most this many rows. */
    Mono<Boolean> begin(Secret visit, Errand errand) {
        AccountId account = errand.account();
        Instant now = errand.begun();
        return database.sql("delete from openid_visit where expires_at <= :now")
                .bind("now", utc(now))
                .then()
                .then(database.sql("""
                                insert into openid_visit (token_hash, purpose, account_id, next, created_at, expires_at)
                                select :hash, :purpose, :account, :next, :now, :expires
                                 where (select count(*) from (select 1 from openid_visit limit :most) v) < :most
                                """)
                        .bind("hash", visit.hash())
                        .bind("purpose", errand.purpose().wire())
                        .bind("account", Parameter.fromOrEmpty(account == null ? null : account.value(), Long.class))
                        .bind("next", errand.next())
                        .bind("now", utc(now))
                        .bind("expires", utc(now.plus(Visit.LIFE)))
                        .bind("most", MOST_VISITS)
                        .fetch()
                        .rowsUpdated())
                .map(added -> added > 0);
    }

    /** Uses the visit up; empty when there is none (any more). */
    Mono<Errand> take(Secret visit, Instant now) {
        return database.sql("""
                        delete from openid_visit where token_hash = :hash
                        returning purpose, account_id, next, created_at, expires_at > :now as good
                        """)
                .bind("hash", visit.hash())
                .bind("now", utc(now))
                .map(row -> {
                    Errand errand = new Errand(
                            WireName.of(Purpose.class, Rows.text(row, "purpose")),
                            account(row.get("account_id", Long.class)),
                            Rows.text(row, "next"),
                            Rows.instant(row, "created_at"));
                    return new Taken(errand, Rows.flag(row, "good"));
                })
                .one()
                .filter(Taken::good)
                .map(Taken::errand);
    }

    private record Taken(Errand errand, boolean good) {}

    /** Whose account the identity signs in to; empty: nobody's. */
    Mono<AccountId> account(String issuer, String subject) {
        return database.sql("select account_id from openid_identity where issuer = :issuer and subject = :subject")
                .bind("issuer", issuer)
                .bind("subject", subject)
                .map(row -> new AccountId(Rows.number(row, "account_id")))
                .one();
    }

    /** False: the identity is somebody's already, or the account has another of that provider. */
    Mono<Boolean> link(AccountId account, String issuer, String subject, Instant now) {
        return database.sql("""
                        insert into openid_identity (account_id, issuer, subject, linked_at)
                        values (:account, :issuer, :subject, :now)
                        on conflict do nothing
                        """)
                .bind("account", account.value())
                .bind("issuer", issuer)
                .bind("subject", subject)
                .bind("now", utc(now))
                .fetch()
                .rowsUpdated()
                .map(added -> added > 0);
    }

    /** False: it was not linked, or it is the only way in, since the account has no password. */
    Mono<Boolean> unlink(AccountId account, String issuer) {
        return database.sql("""
                        delete from openid_identity i using account a
                         where i.account_id = :account and i.issuer = :issuer
                           and a.account_id = i.account_id and a.has_password
                        """)
                .bind("account", account.value())
                .bind("issuer", issuer)
                .fetch()
                .rowsUpdated()
                .map(removed -> removed > 0);
    }

    Mono<Boolean> isLinked(AccountId account, String issuer) {
        return database.sql("""
                        select exists (select 1 from openid_identity
                                        where account_id = :account and issuer = :issuer) as linked
                        """)
                .bind("account", account.value())
                .bind("issuer", issuer)
                .map(row -> Rows.flag(row, "linked"))
                .one();
    }

    private static @Nullable AccountId account(@Nullable Long key) {
        return key == null ? null : new AccountId(key);
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
