package dev.loomboard.runimport;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.bundle.BundlePlacesService;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.WireName;
import dev.loomboard.membership.WorkspaceStore;
import dev.loomboard.membership.WorkspaceStore.Workspace;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.Urls;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The form that takes a bundle. */
@Controller
class ImportPages {

    private static final String FILE = "bundle";

    private final BundleImportService imports;
    private final WorkspaceStore workspaces;
    private final PageRenderer html;

    ImportPages(BundleImportService imports, WorkspaceStore workspaces, PageRenderer html) {
        this.imports = imports;
        this.workspaces = workspaces;
        this.html = html;
    }

    @GetMapping("/runs/import")
    Mono<ResponseEntity<byte[]>> form(PageContext shell, Caller.Person person) {
        return owned(person)
                .map(mine -> html.show(shell, new ImportPage(FormState.with(Map.of("visibility", "private")), mine)));
    }

    @PostMapping("/runs/import")
    Mono<ResponseEntity<byte[]>> add(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return owned(person)
                .flatMap(mine -> exchange.getFormData()
                        .map(FormState::typed)
                        .flatMap(form -> exchange.getMultipartData()
                                .flatMap(parts -> parts.getFirst(FILE) instanceof FilePart file
                                                && !file.filename().isEmpty()
                                        ? add(shell, person, form, mine, file)
                                        : refused(shell, form, mine, FILE, "must be a file"))));
    }

    private Mono<ResponseEntity<byte[]>> add(
            PageContext shell, Caller.Person person, FormState form, List<Workspace> mine, FilePart sent) {
        Optional<Workspace> into = Workspace.chosen(mine, form.value("workspace"));
        Optional<Visibility> visibility = WireName.find(Visibility.class, form.value("visibility"));
        if (into.isEmpty()) {
            return refused(shell, form, mine, "workspace", "must be one of yours");
        }
        if (visibility.isEmpty()) {
            return refused(shell, form, mine, "visibility", "must be public or private");
        }
        return BundlePlacesService.withFile(file -> sent.transferTo(file)
                        .then(Mono.defer(() -> imports.take(into.get().key(), person.actor(), visibility.get(), file))))
                .flatMap(result -> switch (result) {
                    case ImportResult.Imported imported -> Mono.just(seeOther(Urls.run(imported.run())));
                    case ImportResult.Present present -> refused(shell, form, mine, FILE, ImportPage.words(present));
                    case ImportResult.Refused refused ->
                        refused(shell, form, mine, FILE, "cannot be imported: " + refused.why() + ".");
                    case ImportResult.NoRoom full -> refused(shell, form, mine, "workspace", full.why() + ".");
                });
    }

    private Mono<ResponseEntity<byte[]>> refused(
            PageContext shell, FormState form, List<Workspace> mine, String field, String why) {
        return Mono.just(html.show(
                HttpStatus.UNPROCESSABLE_CONTENT,
                shell,
                new ImportPage(form.refused(List.of(new FieldError(field, why))), mine)));
    }

    private Mono<List<Workspace>> owned(Caller.Person person) {
        return workspaces
                .where(person, Right.IMPORT_RUNS)
                .filter(mine -> !mine.isEmpty())
                .switchIfEmpty(Mono.error(Problem.of(403, "forbidden", "Not allowed", "You own no workspace.")
                        .asException()));
    }
}
