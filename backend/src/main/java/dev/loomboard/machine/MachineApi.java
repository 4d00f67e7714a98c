package dev.loomboard.machine;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Upkeep of the machines of a token's workspace, for scripts: let one drain, and retire it. */
@RestController
class MachineApi {

    private final MachineStore machines;
    private final UpkeepService upkeep;

    MachineApi(MachineStore machines, UpkeepService upkeep) {
        this.machines = machines;
        this.upkeep = upkeep;
    }

    /** @param drain true: no new run is given to it; false: they are again */
    record DrainRequest(@Nullable Boolean drain) {
        DrainRequest {
            FieldChecks.present("drain", drain);
        }
    }

    @PostMapping("/api/v1/machines/{slug}/drain")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> drain(Caller.Token token, @PathVariable String slug, @RequestBody DrainRequest request) {
        return found(token, slug)
                .flatMap(machine -> upkeep.drain(machine, Boolean.TRUE.equals(request.drain()), token.actor()));
    }

    @PostMapping("/api/v1/machines/{slug}/retire")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> retire(Caller.Token token, @PathVariable String slug) {
        return found(token, slug).flatMap(machine -> upkeep.revoke(machine, token.actor()));
    }

    private Mono<MachineView.Summary> found(Caller.Token token, String slug) {
        return machines.ofWorkspace(token.workspace(), slug)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()));
    }
}
