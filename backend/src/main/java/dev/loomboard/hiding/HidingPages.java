package dev.loomboard.hiding;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Characters;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.WireName;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.Urls;
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

/** What administrators hid: they hide and show again here, and a workspace's members read why. */
@Controller
class HidingPages {

    private static final int LONGEST = 2000;

    private final HidingStore store;
    private final HidingService service;
    private final PageRenderer html;
    private final DataTwins twins;

    HidingPages(HidingStore store, HidingService service, PageRenderer html, DataTwins twins) {
        this.store = store;
        this.service = service;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/hidden")
    Mono<ResponseEntity<byte[]>> list(
            PageContext shell, Caller.Person person, @RequestParam Map<String, String> query) {
        FormState form = FormState.with(
                Map.of("kind", query.getOrDefault("kind", HidingKind.RUN.wire()), "id", query.getOrDefault("id", "")));
        return page(person, form).map(page -> html.show(shell, page));
    }

    @GetMapping("/hidden.json")
    Mono<ResponseEntity<byte[]>> listJson(Caller.Person person) {
        return page(person, FormState.with(Map.of())).map(page -> twins.json("loomboard.hidden/1", page.twin()));
    }

    @PostMapping("/hidden")
    Mono<ResponseEntity<byte[]>> hide(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return administrator(person)
                .then(exchange.getFormData())
                .map(FormState::typed)
                .flatMap(form -> hide(shell, person, form));
    }

    private Mono<ResponseEntity<byte[]>> hide(PageContext shell, Caller.Person person, FormState form) {
        Optional<HidingKind> kind = WireName.find(HidingKind.class, form.value("kind"));
        String id = form.value("id").strip();
        String reason = form.value("reason").strip();
        List<FieldError> problems = new ArrayList<>();
        if (kind.isEmpty()) {
            problems.add(new FieldError("kind", "must be one of run, machine, workspace"));
        }
        if (reason.isEmpty() || reason.length() > LONGEST) {
            problems.add(new FieldError("reason", "must have 1 to " + LONGEST + " characters"));
        }
        String unstorable = Characters.unstorable(id + reason);
        if (unstorable != null) {
            problems.add(new FieldError("reason", unstorable));
        }
        return problems.isEmpty() && kind.isPresent()
                ? service.hide(kind.get(), id, reason, person).flatMap(result -> switch (result) {
                    case DONE -> Mono.just(seeOther(Urls.hidden()));
                    case UNKNOWN ->
                        refused(
                                shell,
                                person,
                                form,
                                List.of(
                                        new FieldError(
                                                "id",
                                                "does not exist, or you may not see it; the pages of runs, machines and workspaces link here")));
                    case TWICE -> refused(shell, person, form, List.of(new FieldError("id", "is hidden already")));
                })
                : refused(shell, person, form, problems);
    }

    @PostMapping("/hidden/{id}/show")
    Mono<ResponseEntity<byte[]>> show(Caller.Person person, @PathVariable String id) {
        return administrator(person)
                .then(Mono.defer(
                        () -> ExternalId.isOf("hid", id) ? service.show(id, person) : Mono.just(HidingResult.UNKNOWN)))
                .flatMap(result -> switch (result) {
                    case DONE -> Mono.just(seeOther(Urls.hidden()));
                    case UNKNOWN -> Mono.error(() -> Problem.notFound().asException());
                    case TWICE ->
                        Mono.error(() -> Problem.conflict("shown", "It is shown again already.")
                                .asException());
                });
    }

    private Mono<ResponseEntity<byte[]>> refused(
            PageContext shell, Caller.Person person, FormState form, List<FieldError> problems) {
        return page(person, form.refused(problems))
                .map(page -> html.show(HttpStatus.UNPROCESSABLE_CONTENT, shell.whole(), page));
    }

    private Mono<HidingsPage> page(Caller.Person person, FormState form) {
        return store.all(person).map(all -> new HidingsPage(all, person.administrator() ? form : null));
    }

    private static Mono<Void> administrator(Caller.Person person) {
        return person.administrator()
                ? Mono.empty()
                : Mono.error(() -> Problem.administratorsOnly(
                                "Only administrators hide runs, machines and workspaces. Ask one of them.")
                        .asException());
    }
}
