package dev.loomboard.artefact;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.web.PiecewiseAnswer;
import dev.loomboard.web.Problem;
import org.springframework.http.CacheControl;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import reactor.core.publisher.Mono;

/** Artefacts for download, and for the flame graph on the trial's page. */
@Controller
class ArtefactPages {

    private final ArtefactStore artefacts;

    ArtefactPages(ArtefactStore artefacts) {
        this.artefacts = artefacts;
    }

    @GetMapping("/trials/{id}/artefacts/{name}")
    Mono<Void> artefact(
            Caller caller, @PathVariable String id, @PathVariable String name, ServerHttpResponse response) {
        return Mono.justOrEmpty(ArtefactName.of(name))
                .filter(known -> ExternalId.isOf("trl", id))
                .flatMap(known -> artefacts.find(id, known, caller))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .flatMap(found -> answer(id, found, response));
    }

    /** As a file: what an agent sent must never be shown as a page of ours. */
    private Mono<Void> answer(String id, ArtefactStore.Stored found, ServerHttpResponse response) {
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(MediaType.parseMediaType(found.name().mediaType()));
        headers.setContentDisposition(ContentDisposition.attachment()
                .filename(id + "-" + found.name().file())
                .build());
        headers.set(HttpHeaders.VARY, "Cookie");
        headers.setCacheControl(CacheControl.noCache());
        return PiecewiseAnswer.write(response, found.bytes(), (from, bytes) -> artefacts.part(found, from, bytes));
    }
}
