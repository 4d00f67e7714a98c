package dev.loomboard.operation;

import dev.loomboard.kernel.WireName;
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

    enum Status implements WireName {
        UP,
        NO_DATABASE;

        @Override
        public String wire() {
            return WireName.super.wire().replace('-', ' ');
        }
    }

    record Health(Status status) {}

    @GetMapping("/api/health")
    Mono<ResponseEntity<Health>> health() {
        return database.sql("select 1")
                .fetch()
                .first()
                .map(row -> ResponseEntity.ok(new Health(Status.UP)))
                .timeout(TIMEOUT)
                .onErrorReturn(ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                        .header(HttpHeaders.RETRY_AFTER, ErrorAnswers.RETRY_AFTER_SECONDS)
                        .body(new Health(Status.NO_DATABASE)));
    }
}
