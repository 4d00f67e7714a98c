package dev.loomboard.run;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;
import dev.loomboard.signing.SignedMessage;
import dev.loomboard.signing.SigningService;
import dev.loomboard.web.Problem;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** The agents' side of the queue. */
@RestController
class QueueApi {

    private static final int LONGEST_WAIT = 50;

    private final LeaseService leases;
    private final SigningService signing;
    private final JsonMapper json;
    private final RunSettings settings;
    private final Clock clock;
    private final AtomicInteger waiting = new AtomicInteger();

    QueueApi(
            LeaseService leases,
            SigningService signing,
            JsonMapper json,
            RunSettings settings,
            Clock clock,
            MeterRegistry registry) {
        this.leases = leases;
        this.signing = signing;
        this.json = json;
        this.settings = settings;
        this.clock = clock;
        Gauge.builder("loomboard.claims.waiting", waiting, AtomicInteger::get)
                .description("Agents that wait for work")
                .register(registry);
    }

    enum Command implements WireName {
        CONTINUE,
        CANCEL
    }

    record HeartbeatAnswer(Command command, long leaseSeconds, Instant serverTime) {}

    record Completion(
            long fencing, Lease.Outcome outcome, @Nullable String reason) {
        private static final int LONGEST_REASON = 2000;

        Completion {
            FieldChecks.present("outcome", outcome);
            FieldChecks.atMostOrNull("reason", reason, LONGEST_REASON);
        }
    }

    @PostMapping("/api/agent/v1/claim")
    Mono<ResponseEntity<byte[]>> claim(
            Caller.Agent agent,
            @RequestParam(defaultValue = "25") int waitSeconds,
            @RequestHeader(name = SigningService.NONCE, required = false) @Nullable String nonce) {
        if (waitSeconds < 0 || waitSeconds > LONGEST_WAIT) {
            return Mono.error(
                    Problem.invalid("waitSeconds", "must be from 0 to " + LONGEST_WAIT + ", is: " + waitSeconds)
                            .asException());
        }
        Optional<Problem> refusal = nonce == null ? Optional.empty() : SigningService.refusal(nonce);
        if (refusal.isPresent()) {
            return Mono.error(refusal.get().asException());
        }
        return leases.claim(agent.machine(), Duration.ofSeconds(waitSeconds))
                .doOnSubscribe(begun -> waiting.incrementAndGet())
                .doFinally(ended -> waiting.decrementAndGet())
                .flatMap(assignment -> signed(agent, nonce, json.writeValueAsBytes(assignment)))
                .defaultIfEmpty(ResponseEntity.noContent().build());
    }

    /** The signature is of these bytes, so nothing may encode them again. An agent that draws no nonce checks none. */
    private Mono<ResponseEntity<byte[]>> signed(Caller.Agent agent, @Nullable String nonce, byte[] body) {
        ResponseEntity.BodyBuilder ok = ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON);
        return nonce == null
                ? Mono.just(ok.body(body))
                : signing.sign(SignedMessage.ASSIGNMENT, agent.id(), nonce, body)
                        .map(signature ->
                                ok.header(SigningService.SIGNATURE, signature).body(body));
    }

    @PostMapping("/api/agent/v1/runs/{runId}/heartbeat")
    Mono<HeartbeatAnswer> heartbeat(Caller.Agent agent, @PathVariable String runId, @RequestBody Heartbeat beat) {
        return known(runId)
                .flatMap(id -> leases.heartbeat(agent.machine(), id, beat))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .flatMap(heard -> switch (heard) {
                    case Lease.Heard h -> Mono.just(answer(h.cancel() ? Command.CANCEL : Command.CONTINUE));
                    case Lease.GoesOn goesOn -> Mono.just(answer(Command.CONTINUE));
                    case Lease.Superseded s -> Mono.error(superseded(s));
                });
    }

    private HeartbeatAnswer answer(Command command) {
        return new HeartbeatAnswer(command, settings.lease().toSeconds(), clock.instant());
    }

    @PostMapping("/api/agent/v1/runs/{runId}/complete")
    Mono<ResponseEntity<Void>> complete(Caller.Agent agent, @PathVariable String runId, @RequestBody Completion said) {
        return known(runId)
                .flatMap(id -> leases.complete(agent.machine(), id, said.fencing(), said.outcome(), said.reason()))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .flatMap(came -> switch (came) {
                    case Lease.Ended ended ->
                        Mono.just(ResponseEntity.noContent().build());
                    case Lease.EndedBefore before ->
                        Mono.just(ResponseEntity.noContent().build());
                    case Lease.TooEarly early ->
                        Mono.error(Problem.conflict(
                                        "trials-unended",
                                        early.unended()
                                                + " trials of this lease have not ended: upload their last batches first.")
                                .asException());
                    case Lease.Superseded s -> Mono.error(superseded(s));
                });
    }

    private static Mono<String> known(String runId) {
        return Mono.just(runId).filter(id -> ExternalId.isOf("run", id));
    }

    private static RuntimeException superseded(Lease.Superseded s) {
        return Problem.conflict("superseded", s.why() + " Stop this run.").asException();
    }
}
