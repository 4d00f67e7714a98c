package dev.loomboard.server.vertx;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Tuple;

/** What workloads ask a database, by one pool for all verticles: it is made outside of them and given to each. */
record Database(Pool pool, Fortunes fortunes, Todos todos) {

    static Database of(Vertx vertx, Settings.Database settings) {
        Pool pool = PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(settings.connections()))
                .connectingTo(PgConnectOptions.fromUri("postgresql://" + settings.address())
                        .setUser(settings.user())
                        .setPassword(settings.password())
                        // Else a statement with parameters is prepared for each request: a second question.
                        .setCachePreparedStatements(true))
                .using(vertx)
                .build();
        return new Database(pool, new Fortunes(pool), new Todos(pool));
    }

    /** Has the database wait, and a connection of the pool with it. */
    Future<Void> sleep(long delayMs) {
        return pool.preparedQuery("select pg_sleep($1)")
                .execute(Tuple.of(delayMs / 1_000.0))
                .mapEmpty();
    }
}
