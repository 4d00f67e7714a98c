package dev.loomboard.registration;

import static dev.loomboard.kernel.Rows.instantOrNull;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.Secret;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** The keys of machines' agents: the present one and the one it replaced. Each query goes by the machine's key. */
@Repository
class KeyStore {

    private static final String REPLACE = """
            update machine
               set previous_key_hash = agent_key_hash, previous_key_until = :until,
                   agent_key_hash = :next, agent_key_last4 = :last4, agent_key_expires_at = :expires
             where machine_id = :machine and revoked_at is null
            """;

    private static final String RETURNING = " returning agent_key_expires_at, previous_key_until";

    private final DatabaseClient database;

    KeyStore(DatabaseClient database) {
        this.database = database;
    }

    /** What is known of a key; empty when it is not the machine's present one. */
    Mono<KeyState> present(MachineId machine, Secret key) {
        return database.sql("""
                        select agent_key_expires_at, previous_key_until
                          from machine where machine_id = :machine and agent_key_hash = :hash and revoked_at is null
                        """)
                .bind("machine", machine.value())
                .bind("hash", key.hash())
                .map(KeyStore::state)
                .one();
    }

    /** Makes {@code next} the key in place of {@code shown}; empty, and no change, when that is not the present one. */
    Mono<KeyState> replace(MachineId machine, Secret shown, Secret next, Instant expires, Instant until) {
        return bound(REPLACE + " and agent_key_hash = :shown" + RETURNING, machine, next, expires, until)
                .bind("shown", shown.hash())
                .map(KeyStore::state)
                .one();
    }

    /** The same whatever the present one is; empty when the machine's key was revoked. */
    Mono<KeyState> replace(MachineId machine, Secret next, Instant expires, Instant until) {
        return bound(REPLACE + RETURNING, machine, next, expires, until)
                .map(KeyStore::state)
                .one();
    }

    /** Gives a machine's first key its end. */
    Mono<Void> expires(MachineId machine, Instant at) {
        return database.sql("update machine set agent_key_expires_at = :at where machine_id = :machine")
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .bind("machine", machine.value())
                .then();
    }

    private DatabaseClient.GenericExecuteSpec bound(
            String sql, MachineId machine, Secret next, Instant expires, Instant until) {
        return database.sql(sql)
                .bind("machine", machine.value())
                .bind("next", next.hash())
                .bind("last4", next.last4())
                .bind("expires", expires.atOffset(ZoneOffset.UTC))
                .bind("until", until.atOffset(ZoneOffset.UTC));
    }

    private static KeyState state(Readable row) {
        return new KeyState(instantOrNull(row, "agent_key_expires_at"), instantOrNull(row, "previous_key_until"));
    }
}
