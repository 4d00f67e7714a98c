package dev.loomboard.artefact;

import dev.loomboard.kernel.Caller;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Where agents upload artefacts; 204 means committed. */
@RestController
class ArtefactApi {

    private final ArtefactService artefacts;

    ArtefactApi(ArtefactService artefacts) {
        this.artefacts = artefacts;
    }

    @PutMapping(
            path = "/api/agent/v1/trials/{trialId}/artefacts/{name}",
            consumes = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> put(
            Caller.Agent agent,
            @PathVariable String trialId,
            @PathVariable String name,
            @RequestHeader(name = "Loomboard-Sha256", required = false) @Nullable String sha256,
            @RequestBody(required = false) Mono<byte[]> body) {
        return body.defaultIfEmpty(new byte[0])
                .flatMap(bytes -> artefacts.put(agent.machine(), trialId, name, sha256, bytes));
    }
}
