package dev.loomboard.ingest;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.Problem;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Where agents upload what they measured; 204 means committed. */
@RestController
class BatchApi {

    private static final String SENT_AT = "Loomboard-Sent-At";

    private final BatchService batches;
    private final Clock clock;
    private final IngestFigures figures;

    BatchApi(BatchService batches, Clock clock, MeterRegistry registry) {
        this.batches = batches;
        this.clock = clock;
        this.figures = new IngestFigures(registry);
    }

    @PutMapping(path = "/api/agent/v1/trials/{trialId}/batches/{seq}", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> put(
            Caller.Agent agent,
            @PathVariable String trialId,
            @PathVariable String seq,
            @RequestHeader(name = SENT_AT, required = false) @Nullable String sentAt,
            ServerWebExchange exchange) {
        long begun = System.nanoTime();
        return Mono.fromSupplier(() -> Optional.ofNullable(skew(sentAt))) // before the body: its upload takes its time
                .flatMap(skew -> ExchangeAttributes.body(exchange)
                        .flatMap(body -> batches.put(agent.machine(), trialId, seq, skew.orElse(null), body)
                                .doOnSuccess(stored -> figures.accepted(body, System.nanoTime() - begun))))
                .doOnError(figures::refused);
    }

    private @Nullable Duration skew(@Nullable String sentAt) {
        if (sentAt == null) {
            return null;
        }
        try {
            return Duration.between(clock.instant(), FieldChecks.instant(SENT_AT, sentAt));
        } catch (FieldChecks.Refused e) {
            throw Problem.invalid(SENT_AT, e.what()).asException();
        }
    }
}
