package dev.loomboard.server.quarkus;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;

/** Has the database wait, and a connection of the pool with it. */
@Singleton
final class SqlSleep {

    private final Instance<Pool> database;

    /** @param database none: the server was not told of one, and opens no connection */
    SqlSleep(Instance<Pool> database) {
        this.database = database;
    }

    Uni<String> sleep(long delayMs) {
        return database.get()
                .preparedQuery("select pg_sleep($1)")
                .execute(Tuple.of(delayMs / 1_000.0))
                .replaceWith(Workloads.OK);
    }
}
