package dev.loomboard.registration;

import dev.loomboard.inventory.Inventory;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.Secret;
import dev.loomboard.signing.SigningKey;
import dev.loomboard.signing.SigningService;
import dev.loomboard.web.Problem;
import java.time.Instant;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Where agents introduce their machine and say what it has. */
@RestController
class RegisterApi {

    private final RegistrationService registration;
    private final SigningService signing;

    RegisterApi(RegistrationService registration, SigningService signing) {
        this.registration = registration;
        this.signing = signing;
    }

    record RegisterRequest(String token, Inventory inventory) {
        private static final Pattern TOKEN = Pattern.compile("lbr_[a-z2-7]{52}");

        RegisterRequest {
            FieldChecks.present("token", token);
            if (!TOKEN.matcher(token).matches()) {
                throw new FieldChecks.Refused("token", "must be lbr_ and 52 characters of a-z and 2-7"); // not printed
            }
            FieldChecks.present("inventory", inventory);
        }
    }

    record RegisterResponse(
            String machineId,
            String machine,
            String workspace,
            String agentKey,
            String pageUrl,
            Instant keyExpiresAt,
            SigningKey signingKey) {}

    @PostMapping("/api/agent/v1/register")
    @ResponseStatus(HttpStatus.CREATED)
    Mono<RegisterResponse> register(@RequestBody RegisterRequest request) {
        Secret token = new Secret(request.token());
        return signing.present()
                .flatMap(signedBy -> registration
                        .register(token, request.inventory())
                        .map(r -> new RegisterResponse(
                                r.id(),
                                r.slug(),
                                r.workspace(),
                                r.key().value(),
                                r.pageUrl(),
                                r.keyExpiresAt(),
                                signedBy)))
                .switchIfEmpty(Mono.defer(() -> refuse(token)));
    }

    @PutMapping("/api/agent/v1/inventory")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> inventory(Caller.Agent agent, @RequestBody Inventory inventory) {
        return registration.inventory(agent.machine(), inventory);
    }

    private <T> Mono<T> refuse(Secret token) {
        return registration
                .wasUsed(token)
                .flatMap(used -> Mono.error((used
                                ? Problem.conflict(
                                        "token-used",
                                        "This registration token was used already. Make a new one on /machines/new.")
                                : Problem.of(
                                        401,
                                        "token-unknown",
                                        "Registration token not valid",
                                        "It is unknown or more than an hour old. Make a new one on /machines/new."))
                        .asException()));
    }
}
