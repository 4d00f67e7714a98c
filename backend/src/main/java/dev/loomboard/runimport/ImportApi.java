package dev.loomboard.runimport;

import dev.loomboard.bundle.BundlePlacesService;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.WireName;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Takes bundles of scripts and of the agent's command line. */
@RestController
class ImportApi {

    private final BundleImportService imports;

    ImportApi(BundleImportService imports) {
        this.imports = imports;
    }

    record Imported(String runId, String url) {}

    @PostMapping(path = "/api/v1/bundles", consumes = "application/zip")
    @ResponseStatus(HttpStatus.CREATED)
    Mono<Imported> add(
            Caller.Token token, @RequestParam(defaultValue = "private") String visibility, ServerHttpRequest request) {
        Visibility wanted = WireName.find(Visibility.class, visibility).orElse(null);
        if (wanted == null) {
            return Mono.error(Problem.invalid("visibility", "must be public or private, is: " + visibility)
                    .asException());
        }
        return BundlePlacesService.withFile(file -> DataBufferUtils.write(request.getBody(), file)
                .then(Mono.defer(() -> imports.take(token.workspace(), token.actor(), wanted, file)))
                .flatMap(ImportApi::answer));
    }

    private static Mono<Imported> answer(ImportResult result) {
        return switch (result) {
            case ImportResult.Imported imported -> Mono.just(new Imported(imported.run(), Urls.run(imported.run())));
            case ImportResult.Present present ->
                Mono.error(Problem.conflict("run-is-here", ImportPage.words(present))
                        .asException());
            case ImportResult.Refused refused ->
                Mono.error(Problem.invalid("(body)", refused.why()).asException());
            case ImportResult.NoRoom full -> Mono.error(QuotaService.later(full.why()));
        };
    }
}
