package dev.loomboard.artefact;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.web.HeavyPages;
import dev.loomboard.web.Problem;
import org.springframework.http.CacheControl;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import reactor.core.publisher.Mono;

/** Artefacts for download, and for the flame graph on the trial's page. */
@Controller
class ArtefactPages {

    private final ArtefactStore artefacts;
    private final HeavyPages heavy;

    ArtefactPages(ArtefactStore artefacts, HeavyPages heavy) {
        this.artefacts = artefacts;
        this.heavy = heavy;
    }

    @GetMapping("/trials/{id}/artefacts/{name}")
    Mono<ResponseEntity<byte[]>> artefact(Caller caller, @PathVariable String id, @PathVariable String name) {
        return heavy.inTurn(Mono.justOrEmpty(ArtefactName.of(name))
                .filter(known -> ExternalId.isOf("trl", id))
                .flatMap(known -> artefacts.content(id, known, caller).map(content -> answer(id, known, content)))
                .switchIfEmpty(Mono.error(Problem.notFound().asException())));
    }

    /** As a file: what an agent sent must never be shown as a page of ours. */
    private static ResponseEntity<byte[]> answer(String id, ArtefactName name, byte[] content) {
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType(name.mediaType()))
                .header(
                        HttpHeaders.CONTENT_DISPOSITION,
                        ContentDisposition.attachment()
                                .filename(id + "-" + name.file())
                                .build()
                                .toString())
                .header(HttpHeaders.VARY, "Cookie")
                .cacheControl(CacheControl.noCache())
                .body(content);
    }
}
