package dev.loomboard.server.webflux;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** All rows of a table, one more, sorted, as JSON: one question to the database a request. */
@RestController
@ConditionalOnProperty("loomboard.database.address")
final class FortunesController {

    private final ConnectionPool database;

    FortunesController(ConnectionPool database) {
        this.database = database;
    }

    @PostMapping(path = "/fortunes", produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<List<Fortune>> fortunes() {
        return Flux.usingWhen(database.create(), FortunesController::select, Connection::close)
                .collectList()
                .map(Fortune::answer);
    }

    private static Flux<Fortune> select(Connection connection) {
        return Flux.from(connection.createStatement(Fortune.SELECT).execute())
                .concatMap(result ->
                        result.map((row, meta) -> new Fortune(row.get(0, Integer.class), row.get(1, String.class))));
    }
}
