package dev.loomboard.workspace;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Membership;
import dev.loomboard.kernel.Right;
import dev.loomboard.web.DataTwins;
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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** A person's workspaces, how one is made and chosen, and what is in one. */
@Controller
class WorkspacePages {

    private final WorkspaceReadStore workspaces;
    private final WorkspaceAccessService access;
    private final WorkspaceService service;
    private final PageRenderer html;
    private final DataTwins twins;

    WorkspacePages(
            WorkspaceReadStore workspaces,
            WorkspaceAccessService access,
            WorkspaceService service,
            PageRenderer html,
            DataTwins twins) {
        this.workspaces = workspaces;
        this.access = access;
        this.service = service;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/workspaces")
    Mono<ResponseEntity<byte[]>> list(PageContext shell, Caller.Person person) {
        return page(person, FormState.with(Map.of("visibility", "public"))).map(page -> html.show(shell, page));
    }

    @GetMapping("/workspaces.json")
    Mono<ResponseEntity<byte[]>> listJson(Caller.Person person) {
        return page(person, FormState.with(Map.of())).map(page -> twins.json("loomboard.workspaces/1", page.twin()));
    }

    @PostMapping("/workspaces")
    Mono<ResponseEntity<byte[]>> create(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData().map(FormState::typed).flatMap(form -> {
            NewWorkspace.Typed typed = NewWorkspace.of(form);
            NewWorkspace workspace = typed.workspace();
            return workspace == null
                    ? refused(shell, person, form, typed.form().problems())
                    : service.create(workspace, person)
                            .flatMap(result -> answer(shell, person, form, workspace, result));
        });
    }

    private Mono<ResponseEntity<byte[]>> answer(
            PageContext shell, Caller.Person person, FormState form, NewWorkspace typed, WorkspaceResult result) {
        return switch (result) {
            case DONE -> Mono.just(seeOther(PeopleUrls.workspace(typed.slug())));
            case TAKEN ->
                refused(
                        shell,
                        person,
                        form,
                        List.of(new FieldError("slug", "is taken: " + typed.slug() + "; choose another")));
            case TOO_MANY, BUSY ->
                refused(
                        shell,
                        person,
                        form,
                        List.of(new FieldError(
                                "name",
                                "would be one too many: you may make " + service.perPerson()
                                        + " workspaces. Delete one of them, or ask an administrator")));
        };
    }

    /** Where the person's forms begin from now on. */
    @PostMapping("/workspaces/choose")
    Mono<ResponseEntity<byte[]>> choose(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData().map(FormState::typed).flatMap(form -> {
            Optional<Membership> chosen = person.memberships().stream()
                    .filter(m -> m.slug().equals(form.value("workspace")))
                    .findFirst();
            return chosen.isEmpty()
                    ? refused(shell, person, form, List.of(new FieldError("workspace", "must be one of yours")))
                    : service.choose(chosen.get().workspace(), person)
                            .thenReturn(
                                    seeOther(PeopleUrls.workspace(chosen.get().slug())));
        });
    }

    @GetMapping("/w/{workspace}")
    Mono<ResponseEntity<byte[]>> workspace(
            PageContext shell,
            Caller caller,
            @PathVariable String workspace,
            @RequestParam(defaultValue = "false") boolean all) {
        return overview(caller, workspace, all).map(page -> html.show(shell, page));
    }

    @GetMapping("/w/{workspace}.json")
    Mono<ResponseEntity<byte[]>> workspaceJson(Caller caller, @PathVariable String workspace) {
        return overview(caller, workspace, true).map(page -> twins.json("loomboard.workspace/1", page.twin()));
    }

    private Mono<WorkspacePage> overview(Caller caller, String slug, boolean all) {
        return access.seen(caller, slug)
                .zipWhen(workspace -> workspaces.contents(caller, workspace.key()))
                .map(both -> new WorkspacePage(both.getT1(), both.getT2(), may(caller, both.getT1()), all));
    }

    private static WorkspacePage.May may(Caller caller, WorkspaceView workspace) {
        boolean administrator = caller instanceof Caller.Person person && person.administrator();
        return new WorkspacePage.May(
                caller instanceof Caller.Person && caller.mayRead(workspace.key()),
                caller.may(Right.MACHINES, workspace.key()),
                caller.may(Right.SETTINGS, workspace.key()),
                caller.may(Right.AUDIT, workspace.key()),
                administrator && workspace.isPublic() && !workspace.hidden());
    }

    private Mono<WorkspaceListPage> page(Caller.Person person, FormState form) {
        Membership chosen = person.chosen();
        return workspaces
                .of(person)
                .map(rows ->
                        new WorkspaceListPage(rows, chosen == null ? "" : chosen.slug(), form, service.perPerson()));
    }

    private Mono<ResponseEntity<byte[]>> refused(
            PageContext shell, Caller.Person person, FormState form, List<FieldError> problems) {
        return page(person, form.refused(problems))
                .map(page -> html.show(HttpStatus.UNPROCESSABLE_CONTENT, shell.whole(), page));
    }
}
