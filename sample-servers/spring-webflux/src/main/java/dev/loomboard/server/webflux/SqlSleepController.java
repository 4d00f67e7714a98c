package dev.loomboard.server.webflux;

import io.r2dbc.pool.ConnectionPool;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Has the database wait, and a connection of the pool with it. */
@RestController
@ConditionalOnProperty("loomboard.database.address")
final class SqlSleepController {

    private final Statements statements;

    SqlSleepController(ConnectionPool database) {
        this.statements = new Statements(database);
    }

    @PostMapping(path = "/sql-sleep", produces = MediaType.TEXT_PLAIN_VALUE)
    Mono<String> sqlSleep(@RequestParam(defaultValue = "100") long delayMs) {
        double seconds = Bounds.delayMs(delayMs) / 1_000.0;
        return statements.execute("select pg_sleep($1)", seconds).thenReturn("ok");
    }
}
