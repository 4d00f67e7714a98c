package dev.loomboard.webhook;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Right;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.workspace.WorkspaceAccessService;
import dev.loomboard.workspace.WorkspaceView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** A workspace's webhooks, for its owners: an address is added and its secret shown once, messages that were given up are sent again. */
@Controller
class WebhookPages {

    private final WorkspaceAccessService access;
    private final WebhookStore store;
    private final WebhookService service;
    private final WebhookReach reach;
    private final PageRenderer html;

    WebhookPages(
            WorkspaceAccessService access,
            WebhookStore store,
            WebhookService service,
            WebhookReach reach,
            PageRenderer html) {
        this.access = access;
        this.store = store;
        this.service = service;
        this.reach = reach;
        this.html = html;
    }

    @GetMapping("/w/{workspace}/webhooks")
    Mono<ResponseEntity<byte[]>> webhooks(
            PageContext shell,
            Caller.Person person,
            @PathVariable String workspace,
            @RequestParam(defaultValue = "") String changed) {
        return access.with(Right.SETTINGS, person, workspace)
                .flatMap(found -> page(HttpStatus.OK, shell, found, NewWebhook.blank(), null, done(changed)));
    }

    /** The answer is the page itself, not a way to it: the secret must stand in no address. */
    @PostMapping("/w/{workspace}/webhooks")
    Mono<ResponseEntity<byte[]>> add(
            PageContext shell, Caller.Person person, @PathVariable String workspace, ServerWebExchange exchange) {
        return Mono.zip(
                        access.with(Right.SETTINGS, person, workspace),
                        exchange.getFormData().map(FormState::typed))
                .flatMap(both -> add(shell, person, both.getT1(), both.getT2()));
    }

    private Mono<ResponseEntity<byte[]>> add(
            PageContext shell, Caller.Person person, WorkspaceView workspace, FormState form) {
        List<FieldError> problems = reach == WebhookReach.NOWHERE
                ? List.of(new FieldError("url", "cannot be added: the operator of this service allows no webhooks"))
                : NewWebhook.problems(form, reach);
        return problems.isEmpty()
                ? service.add(workspace.key(), NewWebhook.of(form), person)
                        .flatMap(secret ->
                                page(HttpStatus.CREATED, shell, workspace, NewWebhook.blank(), secret.shown(), null))
                : page(HttpStatus.UNPROCESSABLE_CONTENT, shell, workspace, form.refused(problems), null, null);
    }

    @PostMapping("/w/{workspace}/webhooks/{id}/remove")
    Mono<ResponseEntity<byte[]>> remove(Caller.Person person, @PathVariable String workspace, @PathVariable String id) {
        return changed(person, workspace, "whk", id, "removed", found -> service.remove(found.key(), id, person));
    }

    @PostMapping("/w/{workspace}/webhooks/{id}/test")
    Mono<ResponseEntity<byte[]>> test(Caller.Person person, @PathVariable String workspace, @PathVariable String id) {
        return changed(person, workspace, "whk", id, "test", found -> service.test(found.key(), id, person));
    }

    @PostMapping("/w/{workspace}/webhooks/messages/{message}/again")
    Mono<ResponseEntity<byte[]>> again(
            Caller.Person person, @PathVariable String workspace, @PathVariable String message) {
        return changed(
                person, workspace, "out", message, "again", found -> service.again(found.key(), message, person));
    }

    private interface Change {
        Mono<Boolean> in(WorkspaceView workspace);
    }

    private Mono<ResponseEntity<byte[]>> changed(
            Caller.Person person, String workspace, String prefix, String id, String word, Change change) {
        return access.with(Right.SETTINGS, person, workspace)
                .filter(found -> ExternalId.isOf(prefix, id))
                .flatMap(change::in)
                .filter(changed -> changed)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                .thenReturn(seeOther(PeopleUrls.webhooksAfter(workspace, word)));
    }

    private Mono<ResponseEntity<byte[]>> page(
            HttpStatus status,
            PageContext shell,
            WorkspaceView workspace,
            FormState form,
            @Nullable String made,
            @Nullable String done) {
        return Mono.zip(store.of(workspace.key()), store.messages(workspace.key()))
                .map(found -> html.showNotStored(
                        status,
                        shell,
                        new WebhooksPage(workspace, found.getT1(), found.getT2(), reach, form, made, done)));
    }

    private static @Nullable String done(String changed) {
        return switch (changed) {
            case "removed" -> "The webhook is removed; nothing is sent to it any more.";
            case "test" -> "A test message is on its way. Reload this page in a minute to see what came of it.";
            case "again" -> "The message is sent again.";
            default -> null;
        };
    }
}
