package dev.loomboard.machine;

import dev.loomboard.account.WorkspaceStore;
import dev.loomboard.account.WorkspaceStore.Workspace;
import dev.loomboard.cell.Visibility;
import dev.loomboard.cell.WireName;
import dev.loomboard.download.Downloads;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.view.Chart;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.PublicUrl;
import dev.loomboard.web.Urls;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Machines: the list, one of them, and how a new one comes to be. */
@Controller
class MachinePages {

    private final MachineStore machines;
    private final MachineViewService views;
    private final RegistrationStore tokens;
    private final RegistrationService registration;
    private final WorkspaceStore workspaces;
    private final Downloads downloads;
    private final PublicUrl publicUrl;
    private final PageRenderer html;
    private final Clock clock;

    MachinePages(
            MachineStore machines,
            MachineViewService views,
            RegistrationStore tokens,
            RegistrationService registration,
            WorkspaceStore workspaces,
            Downloads downloads,
            PublicUrl publicUrl,
            PageRenderer html,
            Clock clock) {
        this.machines = machines;
        this.views = views;
        this.tokens = tokens;
        this.registration = registration;
        this.workspaces = workspaces;
        this.downloads = downloads;
        this.publicUrl = publicUrl;
        this.html = html;
        this.clock = clock;
    }

    record MachinesJson(String schema, List<MachineView.Summary> machines) implements PageTwin {}

    record MachineJson(String schema, MachineView machine, boolean online, List<Chart> charts) implements PageTwin {}

    @GetMapping("/machines")
    Mono<ResponseEntity<byte[]>> list(PageContext shell, Caller caller) {
        return machines.visible(caller)
                .collectList()
                .map(all -> html.show(shell, new MachineListPage(all, clock.instant())));
    }

    @GetMapping("/machines.json")
    @ResponseBody
    Mono<MachinesJson> listJson(Caller caller) {
        return machines.visible(caller).collectList().map(all -> new MachinesJson("loomboard.machines/1", all));
    }

    @GetMapping("/w/{workspace}/machines/{slug}")
    Mono<ResponseEntity<byte[]>> machine(
            PageContext shell, Caller caller, @PathVariable String workspace, @PathVariable String slug) {
        return views.find(caller, workspace, slug)
                .flatMap(machine -> views.page(caller, machine, FormState.with(Map.of())))
                .map(page -> html.show(shell, page));
    }

    @GetMapping("/w/{workspace}/machines/{slug}.json")
    @ResponseBody
    Mono<MachineJson> machineJson(Caller caller, @PathVariable String workspace, @PathVariable String slug) {
        return views.find(caller, workspace, slug)
                .flatMap(machine -> views.view(caller, machine))
                .flatMap(view -> views.charts(caller, view)
                        .map(charts -> new MachineJson(
                                "loomboard.machine/1", view, view.summary().online(clock.instant()), charts)));
    }

    @GetMapping("/machines/new")
    Mono<ResponseEntity<byte[]>> newForm(PageContext shell, Caller.Person person) {
        return ownedBy(person)
                .map(owned ->
                        html.show(shell, new NewMachinePage(FormState.with(Map.of("visibility", "public")), owned)));
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
                                t.expiresAt().isBefore(clock.instant()))));
    }

    @PostMapping("/w/{workspace}/machines/{slug}/revoke")
    Mono<ResponseEntity<Void>> revoke(Caller.Person person, @PathVariable String workspace, @PathVariable String slug) {
        return change(person, workspace, slug, machine -> registration.revoke(machine, person.actor()));
    }

    @PostMapping("/w/{workspace}/machines/{slug}/visibility")
    Mono<ResponseEntity<Void>> visibility(
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String slug,
            ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(form -> FormState.typed(form).value("visibility"))
                .flatMap(wanted -> change(person, workspace, slug, machine -> setVisibility(machine, wanted, person)));
    }

    @PostMapping("/w/{workspace}/machines/{slug}/reruns")
    Mono<ResponseEntity<Void>> reruns(
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String slug,
            ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(form -> FormState.typed(form).value("reruns"))
                .flatMap(wanted -> change(person, workspace, slug, machine -> setReruns(machine, wanted, person)));
    }

    /** An administrator's, whosever the machine is; one that he may not see is not found, and ranks nowhere in public. */
    @PostMapping("/w/{workspace}/machines/{slug}/admission")
    Mono<ResponseEntity<Void>> admission(
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String slug,
            ServerWebExchange exchange) {
        return Mono.zip(
                        exchange.getFormData().map(form -> FormState.typed(form).value("admitted")),
                        views.find(person, workspace, slug))
                .flatMap(both -> person.administrator()
                        ? setAdmission(both.getT2(), both.getT1(), person)
                        : Mono.error(Problem.of(
                                        403,
                                        "administrators-only",
                                        "Only for administrators",
                                        "Public ranks are the installation's. Ask an administrator to admit the machine.")
                                .asException()))
                .thenReturn(seeOther(workspace, slug));
    }

    private Mono<Void> setAdmission(MachineView.Summary machine, String wanted, Caller.Person person) {
        return wanted.equals("yes") || wanted.equals("no")
                ? registration.setAdmission(machine, wanted.equals("yes"), person.actor())
                : Mono.error(Problem.invalid("admitted", "must be yes or no").asException());
    }

    private static ResponseEntity<Void> seeOther(String workspace, String slug) {
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .location(URI.create(Urls.machine(workspace, slug)))
                .build();
    }

    private Mono<Void> setReruns(MachineView.Summary machine, String wanted, Caller.Person person) {
        return wanted.equals("on") || wanted.equals("off")
                ? registration.setReruns(machine, wanted.equals("on"), person.actor())
                : Mono.error(Problem.invalid("reruns", "must be on or off").asException());
    }

    private Mono<Void> setVisibility(MachineView.Summary machine, String typed, Caller.Person person) {
        return WireName.find(Visibility.class, typed)
                .map(visibility -> registration.setVisibility(machine, visibility, person.actor()))
                .orElseGet(() -> Mono.error(Problem.invalid("visibility", "must be public or private")
                        .asException()));
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
                    false);
            var shown = html.show(shell.whole(), page);
            return ResponseEntity.status(shown.getStatusCode())
                    .headers(shown.getHeaders())
                    .cacheControl(CacheControl.noStore()) // it holds a secret
                    .body(shown.getBody());
        });
    }

    private Mono<ResponseEntity<Void>> change(
            Caller.Person person, String workspace, String slug, Function<MachineView.Summary, Mono<Void>> change) {
        return views.owned(person, workspace, slug)
                .flatMap(machine -> change.apply(machine).thenReturn(machine))
                .map(machine -> seeOther(workspace, slug));
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
