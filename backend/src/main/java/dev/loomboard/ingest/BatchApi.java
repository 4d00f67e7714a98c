package dev.loomboard.ingest;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.Problem;
import java.time.Clock;
import java.time.Duration;
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

    BatchApi(BatchService batches, Clock clock) {
        this.batches = batches;
        this.clock = clock;
    }

    @PutMapping(path = "/api/agent/v1/trials/{trialId}/batches/{seq}", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> put(
            Caller.Agent agent,
            @PathVariable String trialId,
            @PathVariable String seq,
            @RequestHeader(name = SENT_AT, required = false) @Nullable String sentAt,
            ServerWebExchange exchange) {
        Duration skew = skew(sentAt); // before the body: its upload takes its time
        return ExchangeAttributes.body(exchange)
                .flatMap(body -> batches.put(agent.machine(), trialId, seq, skew, body));
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
