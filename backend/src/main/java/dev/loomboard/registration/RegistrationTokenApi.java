package dev.loomboard.registration;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.machine.MachineName;
import dev.loomboard.web.Problem;
import dev.loomboard.web.PublicUrl;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Registration tokens for scripts. */
@RestController
class RegistrationTokenApi {

    private final RegistrationService registration;
    private final PublicUrl publicUrl;

    RegistrationTokenApi(RegistrationService registration, PublicUrl publicUrl) {
        this.registration = registration;
        this.publicUrl = publicUrl;
    }

    /** @param visibility null: public; an empty text is refused, so that nothing becomes public unasked */
    record TokenRequest(String name, @Nullable Visibility visibility) {
        TokenRequest {
            FieldChecks.present("name", name);
        }

        Visibility visibilityOrPublic() {
            return visibility == null ? Visibility.PUBLIC : visibility;
        }
    }

    record TokenAnswer(String token, String command, String machine, Instant expiresAt) {}

    @PostMapping("/api/v1/machines/registration-tokens")
    @ResponseStatus(HttpStatus.CREATED)
    Mono<TokenAnswer> create(Caller.Token caller, @RequestBody TokenRequest request, ServerHttpRequest http) {
        MachineName name = new MachineName(request.name());
        if (!name.problems().isEmpty()) {
            return Mono.error(Problem.invalid(name.problems()).asException());
        }
        return registration
                .newToken(caller.workspace(), name, request.visibilityOrPublic(), caller.actor())
                .map(made -> new TokenAnswer(
                        made.token().value(),
                        RegisterCommand.line(publicUrl.of(http), made.token()),
                        made.slug(),
                        made.expiresAt()));
    }
}
