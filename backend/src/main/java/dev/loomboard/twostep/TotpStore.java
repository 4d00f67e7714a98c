package dev.loomboard.twostep;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Rows;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** The secrets that accounts share with authenticators, and their recovery codes. */
@Repository
public class TotpStore {

    private static final long NEVER = -1;

    private final DatabaseClient database;

    TotpStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * @param confirmed false: a first code has yet to be typed
     * @param used the newest time step whose code was used
     * @param recoveryCodes how many are left
     */
    record Shared(byte[] secret, boolean confirmed, long used, int recoveryCodes) {}

    Mono<Shared> find(AccountId account) {
        return database.sql("""
                        select secret, confirmed_at is not null as confirmed, coalesce(last_step, :never) as used,
                               (select count(*)::int from recovery_code r
                                 where r.account_id = t.account_id and r.used_at is null) as codes
                          from account_totp t where account_id = :account
                        """)
                .bind("never", NEVER)
                .bind("account", account.value())
                .map(TotpStore::shared)
                .one();
    }

    /** A new secret in place of one that was never confirmed; a confirmed one stays. */
    Mono<Void> begin(AccountId account, byte[] secret, Instant now) {
        return database.sql("""
                        insert into account_totp (account_id, secret, created_at) values (:account, :secret, :now)
                        on conflict (account_id) do update set secret = excluded.secret, created_at = excluded.created_at
                          where account_totp.confirmed_at is null
                        """)
                .bind("account", account.value())
                .bind("secret", secret)
                .bind("now", utc(now))
                .then();
    }

    /** Uses a step's code; false when it, or a newer one, was used before. */
    Mono<Boolean> use(AccountId account, long step) {
        return database.sql("""
                        update account_totp set last_step = :step
                         where account_id = :account and (last_step is null or last_step < :step)
                        """)
                .bind("step", step)
                .bind("account", account.value())
                .fetch()
                .rowsUpdated()
                .map(used -> used > 0);
    }

    /** From now on codes are asked for. */
    Mono<Void> confirm(AccountId account, Instant now, List<byte[]> recoveryCodes) {
        return database.sql("update account_totp set confirmed_at = :now where account_id = :account")
                .bind("now", utc(now))
                .bind("account", account.value())
                .then()
                .then(add(account, recoveryCodes));
    }

    private Mono<Void> add(AccountId account, List<byte[]> recoveryCodes) {
        return database.sql(
                        "insert into recovery_code (account_id, code_hash) select :account, decode(unnest(:codes), 'hex')")
                .bind("account", account.value())
                .bind(
                        "codes",
                        recoveryCodes.stream().map(HexFormat.of()::formatHex).toArray(String[]::new))
                .then();
    }

    /** False: there is no such code, or it was used. */
    Mono<Boolean> useRecoveryCode(AccountId account, byte[] hash, Instant now) {
        return database.sql("""
                        update recovery_code set used_at = :now
                         where account_id = :account and code_hash = :hash and used_at is null
                        """)
                .bind("now", utc(now))
                .bind("account", account.value())
                .bind("hash", hash)
                .fetch()
                .rowsUpdated()
                .map(used -> used > 0);
    }

    /** Forgets the secret and the recovery codes; false: there was no confirmed one. */
    public Mono<Boolean> remove(AccountId account) {
        return database.sql(
                        "delete from account_totp where account_id = :account returning confirmed_at is not null as was")
                .bind("account", account.value())
                .map(row -> Rows.flag(row, "was"))
                .one()
                .defaultIfEmpty(false);
    }

    private static Shared shared(Readable row) {
        return new Shared(
                Objects.requireNonNull(row.get("secret", byte[].class)),
                Rows.flag(row, "confirmed"),
                Rows.number(row, "used"),
                Rows.whole(row, "codes"));
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
