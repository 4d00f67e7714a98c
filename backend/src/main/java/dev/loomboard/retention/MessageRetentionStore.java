package dev.loomboard.retention;

import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Removes messages that were sent or given up long ago. What they told stands in their notices, which stay. */
@Repository
class MessageRetentionStore {

    /** Of a message that was given up {@code next_try_at} says when. */
    static final String REMOVE = """
            delete from outbox where outbox_id in (
              select outbox_id from outbox
               where state in ('sent', 'dead') and coalesce(sent_at, next_try_at) < :before
               order by coalesce(sent_at, next_try_at) limit :most for update skip locked)
            """;

    private final DatabaseClient database;

    MessageRetentionStore(DatabaseClient database) {
        this.database = database;
    }

    /** The oldest, some; gives how many. Plan: outbox_over_ix, outbox_pk. */
    Mono<Long> removeSome(Instant before, int most) {
        return database.sql(REMOVE)
                .bind("before", before.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .fetch()
                .rowsUpdated();
    }
}
