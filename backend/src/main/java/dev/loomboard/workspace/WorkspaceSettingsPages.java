package dev.loomboard.workspace;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.WireName;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem.FieldError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** What owners change of a workspace: its name, who sees it, and whether there is one. */
@Controller
class WorkspaceSettingsPages {

    private final WorkspaceAccessService access;
    private final WorkspaceService service;
    private final PageRenderer html;

    WorkspaceSettingsPages(WorkspaceAccessService access, WorkspaceService service, PageRenderer html) {
        this.access = access;
        this.service = service;
        this.html = html;
    }

    @GetMapping("/w/{workspace}/settings")
    Mono<ResponseEntity<byte[]>> settings(PageContext shell, Caller.Person person, @PathVariable String workspace) {
        return access.with(Right.SETTINGS, person, workspace)
                .map(found -> html.show(
                        shell, new WorkspaceSettingsPage(found, FormState.with(Map.of("name", found.name())))));
    }

    @PostMapping("/w/{workspace}/settings")
    Mono<ResponseEntity<byte[]>> rename(
            PageContext shell, Caller.Person person, @PathVariable String workspace, ServerWebExchange exchange) {
        return typed(person, workspace, exchange, (found, form) -> {
            String name = form.value("name").strip();
            List<FieldError> problems = NewWorkspace.nameProblems(name);
            return problems.isEmpty()
                    ? service.rename(found, name, person).thenReturn(seeOther(PeopleUrls.workspaceSettings(workspace)))
                    : refused(shell, found, form, problems);
        });
    }

    @PostMapping("/w/{workspace}/visibility")
    Mono<ResponseEntity<byte[]>> visibility(
            PageContext shell, Caller.Person person, @PathVariable String workspace, ServerWebExchange exchange) {
        return typed(person, workspace, exchange, (found, form) -> {
            Optional<Visibility> wanted = WireName.find(Visibility.class, form.value("visibility"));
            return wanted.isPresent()
                    ? service.setVisibility(found, wanted.get(), person)
                            .thenReturn(seeOther(PeopleUrls.workspaceSettings(workspace)))
                    : refused(shell, found, form, List.of(new FieldError("visibility", "must be public or private")));
        });
    }

    @PostMapping("/w/{workspace}/delete")
    Mono<ResponseEntity<byte[]>> delete(
            PageContext shell, Caller.Person person, @PathVariable String workspace, ServerWebExchange exchange) {
        return typed(person, workspace, exchange, (found, form) -> {
            String problem = found.ofInstallation()
                    ? "is the workspace of the installation itself and cannot be deleted"
                    : form.value("confirmed").strip().equals(found.slug())
                            ? null
                            : "must be " + found.slug() + ", so that nothing is deleted by mistake";
            return problem == null
                    ? service.delete(found, person).flatMap(result -> switch (result) {
                        case DONE -> Mono.just(seeOther(PeopleUrls.workspaces()));
                        case BUSY, TAKEN, TOO_MANY ->
                            refused(
                                    shell,
                                    found,
                                    form,
                                    List.of(new FieldError(
                                            "confirmed",
                                            "cannot be deleted yet: a run of it is not over. Cancel it, or wait")));
                    })
                    : refused(shell, found, form, List.of(new FieldError("confirmed", problem)));
        });
    }

    /** What a form leads to. */
    private interface Submit {
        Mono<ResponseEntity<byte[]>> of(WorkspaceView workspace, FormState form);
    }

    private Mono<ResponseEntity<byte[]>> typed(
            Caller.Person person, String workspace, ServerWebExchange exchange, Submit submit) {
        return Mono.zip(
                        access.with(Right.SETTINGS, person, workspace),
                        exchange.getFormData().map(FormState::typed))
                .flatMap(both -> submit.of(both.getT1(), both.getT2()));
    }

    private Mono<ResponseEntity<byte[]>> refused(
            PageContext shell, WorkspaceView workspace, FormState form, List<FieldError> problems) {
        return Mono.just(html.show(
                HttpStatus.UNPROCESSABLE_CONTENT,
                shell.whole(),
                new WorkspaceSettingsPage(workspace, form.refused(problems))));
    }
}
