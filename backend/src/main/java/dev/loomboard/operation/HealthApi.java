package dev.loomboard.operation;

import dev.loomboard.web.request.ErrorAnswers;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Shows a load balancer whether this replica can serve: it can when it reaches the database. */
@RestController
class HealthApi {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final DatabaseClient database;

    HealthApi(DatabaseClient database) {
        this.database = database;
    }

    record Health(String status) {}

    @GetMapping("/api/health")
    Mono<ResponseEntity<Health>> health() {
        return database.sql("select 1")
                .fetch()
                .first()
                .map(row -> ResponseEntity.ok(new Health("up")))
                .timeout(TIMEOUT)
                .onErrorReturn(ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                        .header(HttpHeaders.RETRY_AFTER, ErrorAnswers.RETRY_AFTER_SECONDS)
                        .body(new Health("no database")));
    }
}
