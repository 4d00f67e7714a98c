package dev.loomboard.registration;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.Secret;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Where an agent names its next key. */
@RestController
class KeyApi {

    private static final String BEARER = "Bearer ";

    private final KeyService keys;

    KeyApi(KeyService keys) {
        this.keys = keys;
    }

    record KeyRequest(String agentKey) {
        KeyRequest {
            FieldChecks.present("agentKey", agentKey);
            if (!Secret.isOf("lba", agentKey)) {
                // The value is not printed.
                throw new FieldChecks.Refused("agentKey", "must be lba_ and 52 characters of a-z and 2-7");
            }
        }
    }

    record KeyAnswer(
            String machineId,
            @Nullable Instant expiresAt,
            @Nullable Instant previousUntil) {}

    @PutMapping("/api/agent/v1/key")
    Mono<KeyAnswer> key(
            Caller.Agent agent,
            @RequestHeader(HttpHeaders.AUTHORIZATION) String shown,
            @RequestBody KeyRequest request) {
        Secret present = new Secret(shown.substring(BEARER.length()).strip()); // an agent proves itself by nothing else
        return keys.rotate(agent, present, new Secret(request.agentKey()))
                .map(state -> new KeyAnswer(agent.id(), state.expiresAt(), state.previousUntil()));
    }
}
