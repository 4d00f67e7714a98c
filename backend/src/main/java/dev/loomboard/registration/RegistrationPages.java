package dev.loomboard.registration;

import dev.loomboard.download.Downloads;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.machine.MachineName;
import dev.loomboard.membership.WorkspaceStore;
import dev.loomboard.membership.WorkspaceStore.Workspace;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.PublicUrl;
import java.time.Clock;
import java.util.ArrayList;
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

/** How a new machine comes to be: its form, and the page that waits for its agent. */
@Controller
class RegistrationPages {

    private final RegistrationStore tokens;
    private final RegistrationService registration;
    private final WorkspaceStore workspaces;
    private final Downloads downloads;
    private final PublicUrl publicUrl;
    private final PageRenderer html;
    private final Clock clock;

    RegistrationPages(
            RegistrationStore tokens,
            RegistrationService registration,
            WorkspaceStore workspaces,
            Downloads downloads,
            PublicUrl publicUrl,
            PageRenderer html,
            Clock clock) {
        this.tokens = tokens;
        this.registration = registration;
        this.workspaces = workspaces;
        this.downloads = downloads;
        this.publicUrl = publicUrl;
        this.html = html;
        this.clock = clock;
    }

    @GetMapping("/machines/new")
    Mono<ResponseEntity<byte[]>> newForm(
            PageContext shell, Caller.Person person, @RequestParam(defaultValue = "") String workspace) {
        FormState form = FormState.with(Map.of("visibility", "public", "workspace", workspace));
        return ownedBy(person).map(owned -> html.show(shell, new NewMachinePage(form, owned)));
    }

    @PostMapping("/machines/new")
    Mono<ResponseEntity<byte[]>> create(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return Mono.zip(exchange.getFormData().map(FormState::typed), ownedBy(person))
                .flatMap(both -> {
                    FormState form = both.getT1();
                    MachineName name = MachineName.of(form.value("name"), form.value("visibility"));
                    Optional<Workspace> into = Workspace.chosen(both.getT2(), form.value("workspace"));
                    List<FieldError> problems = new ArrayList<>(name.problems());
                    if (into.isEmpty()) {
                        problems.add(new FieldError("workspace", "must be one of yours"));
                    }
                    return problems.isEmpty() && into.isPresent()
                            ? made(shell, person, exchange, name, into.get())
                                    .onErrorResume(
                                            QuotaService::isRefusal,
                                            full -> Mono.just(html.show(
                                                    HttpStatus.UNPROCESSABLE_CONTENT,
                                                    shell,
                                                    new NewMachinePage(
                                                            form.refused(List.of(
                                                                    new FieldError("name", QuotaService.why(full)))),
                                                            both.getT2()))))
                            : Mono.just(html.show(
                                    HttpStatus.UNPROCESSABLE_CONTENT,
                                    shell,
                                    new NewMachinePage(form.refused(problems), both.getT2())));
                });
    }

    @GetMapping("/machines/new/{token}")
    Mono<ResponseEntity<byte[]>> waiting(PageContext shell, Caller.Person person, @PathVariable String token) {
        return tokens.find(person, token)
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .map(t -> html.show(
                        shell,
                        new WaitingPage(
                                t.id(),
                                t.workspace(),
                                t.name(),
                                null,
                                null,
                                t.last4(),
                                t.expiresAt(),
                                t.machine(),
                                t.started(),
                                t.expiresAt().isBefore(clock.instant()))));
    }

    private Mono<ResponseEntity<byte[]>> made(
            PageContext shell, Caller.Person person, ServerWebExchange exchange, MachineName name, Workspace into) {
        return registration.newToken(into.key(), name, person.actor()).map(token -> {
            String url = publicUrl.of(exchange.getRequest());
            var page = new WaitingPage(
                    token.id(),
                    into.slug(),
                    name.name(),
                    RegisterCommand.line(url, token.token()),
                    InstallLines.of(downloads, url, token.token()),
                    token.token().last4(),
                    token.expiresAt(),
                    null,
                    false,
                    false);
            return html.showNotStored(HttpStatus.OK, shell, page);
        });
    }

    private Mono<List<Workspace>> ownedBy(Caller.Person person) {
        return workspaces
                .where(person, Right.MACHINES)
                .flatMap(owned -> owned.isEmpty()
                        ? Mono.error(Problem.of(403, "forbidden", "Not allowed", "You own no workspace.")
                                .asException())
                        : Mono.just(owned));
    }
}
