package dev.loomboard.about;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import reactor.core.publisher.Mono;

/** Pages about the product: patterns, methodology, glossary, API, status. */
@Controller
class AboutPages {

    private static final MediaType YAML = new MediaType("application", "yaml", StandardCharsets.UTF_8);
    private static final MediaType JSON_SCHEMA = new MediaType("application", "schema+json", StandardCharsets.UTF_8);

    private final StatusStore status;
    private final PageRenderer html;
    private final DataTwins twins;

    AboutPages(StatusStore status, PageRenderer html, DataTwins twins) {
        this.status = status;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/patterns")
    ResponseEntity<byte[]> patterns(PageContext shell) {
        return html.show(shell, PatternsPage.invented());
    }

    @GetMapping("/patterns.json")
    ResponseEntity<byte[]> patternsJson() {
        return twins.json("loomboard.patterns/1", PatternsPage.invented());
    }

    @GetMapping("/methodology")
    ResponseEntity<byte[]> methodology(PageContext shell) {
        return html.show(shell, MethodologyPage.ofTheCode());
    }

    @GetMapping("/methodology.json")
    ResponseEntity<byte[]> methodologyJson() {
        return twins.json("loomboard.methodology/1", MethodologyPage.ofTheCode());
    }

    @GetMapping("/metrics-glossary")
    ResponseEntity<byte[]> glossary(PageContext shell) {
        return html.show(shell, GlossaryPage.ofTheFiles());
    }

    @GetMapping("/metrics-glossary.json")
    ResponseEntity<byte[]> glossaryJson() {
        return twins.json("loomboard.metrics-glossary/1", GlossaryPage.ofTheFiles());
    }

    @GetMapping("/api")
    ResponseEntity<byte[]> api(PageContext shell) {
        return html.show(shell, new ApiPage(Contracts.all()));
    }

    @GetMapping("/api.json")
    ResponseEntity<byte[]> apiJson() {
        return twins.json("loomboard.api/1", new ApiPage(Contracts.all()));
    }

    /** The contract itself, to feed to a generator, or the schema of matrices, to feed to an editor. */
    @GetMapping("/api/contracts/{file}")
    Mono<ResponseEntity<String>> contract(@PathVariable String file) {
        if (Contracts.FILES.contains(file)) {
            return Mono.just(ResponseEntity.ok().contentType(YAML).body(Contracts.text(file)));
        }
        return file.equals(Contracts.MATRIX_SCHEMA)
                ? Mono.just(ResponseEntity.ok().contentType(JSON_SCHEMA).body(Contracts.text(file)))
                : Mono.error(Problem.notFound().asException());
    }

    @GetMapping("/status")
    Mono<ResponseEntity<byte[]>> status(PageContext shell, Caller caller) {
        return status.read(caller).map(page -> html.show(shell, page));
    }

    @GetMapping("/status.json")
    Mono<ResponseEntity<byte[]>> statusJson(Caller caller) {
        return status.read(caller).map(page -> twins.json("loomboard.status/1", page));
    }
}
