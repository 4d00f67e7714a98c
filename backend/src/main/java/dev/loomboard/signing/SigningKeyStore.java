package dev.loomboard.signing;

import static dev.loomboard.kernel.Rows.text;

import io.r2dbc.spi.Readable;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The signing keys. A rotation adds a row, so there are as many as there were rotations. */
@Repository
class SigningKeyStore {

    private final DatabaseClient database;

    SigningKeyStore(DatabaseClient database) {
        this.database = database;
    }

    /** The key that signs, with its private half. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Present(SigningKey key, byte[] privateKey) {}

    /** Empty before the first; by signing_key_present_uix. */
    Mono<Present> present() {
        return database.sql("""
                        select key_id, public_key, announcement, private_key
                          from signing_key where replaced_at is null
                        """)
                .map(row -> new Present(key(row), bytes(row, "private_key")))
                .one();
    }

    /** Oldest first: each is announced by the one before it. */
    Flux<SigningKey> all() {
        return database.sql(
                        "select key_id, public_key, announcement from signing_key order by signing_key_id limit 1000")
                .map(SigningKeyStore::key)
                .all();
    }

    /** Unless there is a present one: of several replicas that start at once one makes it. */
    Mono<Void> add(Ed25519.Pair pair, byte @Nullable [] announcement) {
        return database.sql("""
                        insert into signing_key (key_id, public_key, private_key, announcement)
                        values (:id, :public, :private, :announcement)
                        on conflict do nothing
                        """)
                .bind("id", Ed25519.id(pair.publicKey()))
                .bind("public", pair.publicKey())
                .bind("private", pair.privateKey())
                .bind("announcement", Parameter.fromOrEmpty(announcement, byte[].class))
                .then();
    }

    /** Ends a key and forgets its private half; false when it was replaced already. */
    Mono<Boolean> replace(String id) {
        return database.sql("""
                        update signing_key set replaced_at = now(), private_key = null
                         where key_id = :id and replaced_at is null
                        """).bind("id", id).fetch().rowsUpdated().map(rows -> rows > 0);
    }

    private static SigningKey key(Readable row) {
        byte[] announcement = row.get("announcement", byte[].class);
        return new SigningKey(
                text(row, "key_id"),
                Base64.getEncoder().encodeToString(bytes(row, "public_key")),
                announcement == null ? null : Base64.getEncoder().encodeToString(announcement));
    }

    private static byte[] bytes(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, byte[].class), column);
    }
}
