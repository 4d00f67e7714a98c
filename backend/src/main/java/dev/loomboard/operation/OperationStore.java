package dev.loomboard.operation;

import static dev.loomboard.kernel.Rows.number;

import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads {@link StoredFigures}. */
@Repository
class OperationStore {

    private final DatabaseClient database;

    OperationStore(DatabaseClient database) {
        this.database = database;
    }

    /** Open runs by the predicate of run_queue_ix, of which there are few. */
    Mono<StoredFigures> read(Instant now) {
        return database.sql("""
                        select count(*) filter (where state = 'queued') as queued,
                               count(*) filter (where state = 'leased') as leased,
                               count(*) filter (where state = 'running') as running,
                               count(*) filter (where state = 'disconnected') as disconnected,
                               count(*) filter (where lease_expires_at > :now) as held,
                               count(*) filter (where lease_expires_at <= :now) as expired,
                               extract(epoch from :now - min(created_at) filter (where state = 'queued'))::float8 as oldest,
                               pg_database_size(current_database()) as bytes
                          from run
                         where state in ('queued', 'leased', 'running', 'disconnected')
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(OperationStore::figures)
                .one();
    }

    private static StoredFigures figures(Readable row) {
        return new StoredFigures(
                number(row, "queued"),
                number(row, "leased"),
                number(row, "running"),
                number(row, "disconnected"),
                number(row, "held"),
                number(row, "expired"),
                row.get("oldest", Double.class),
                number(row, "bytes"));
    }
}
