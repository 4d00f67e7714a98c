package dev.loomboard.server.webflux;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.Statement;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Single statements, each on a connection of the pool and a transaction of its own. */
record Statements(ConnectionPool database) {

    <T> Mono<List<T>> select(String sql, Function<Row, T> read, Object... values) {
        return Flux.usingWhen(
                        database.create(),
                        connection -> run(connection, sql, values)
                                .concatMap(result -> result.map((row, meta) -> read.apply(row))),
                        Connection::close)
                .collectList();
    }

    /** Gives how many rows it changed. */
    Mono<Long> execute(String sql, Object... values) {
        return Flux.usingWhen(
                        database.create(),
                        connection -> run(connection, sql, values).concatMap(Result::getRowsUpdated),
                        Connection::close)
                .reduce(0L, Long::sum);
    }

    private static Flux<? extends Result> run(Connection connection, String sql, Object... values) {
        Statement statement = connection.createStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.bind(i, values[i]);
        }
        return Flux.from(statement.execute());
    }
}
