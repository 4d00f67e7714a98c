package dev.loomboard.retraction;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.retracted.Version;
import dev.loomboard.view.Atom;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.PublicUrl;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The public page of retractions, on which administrators retract and withdraw, and owners retract runs. */
@Controller
class RetractionPages {

    static final int MOST = 500;

    private static final int MOST_IN_FEED = 100;
    private static final List<String> CSV_HEAD = List.of(
            "id",
            "kind",
            "name",
            "version",
            "reason",
            "retracted_at",
            "retracted_by",
            "withdrawn_at",
            "withdrawn_by",
            "withdrawal");

    private final RetractionStore store;
    private final RetractionService service;
    private final PublicUrl publicUrl;
    private final PageRenderer html;
    private final DataTwins twins;

    RetractionPages(
            RetractionStore store, RetractionService service, PublicUrl publicUrl, PageRenderer html, DataTwins twins) {
        this.store = store;
        this.service = service;
        this.publicUrl = publicUrl;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/retractions")
    Mono<ResponseEntity<byte[]>> list(PageContext shell, Caller caller, @RequestParam Map<String, String> query) {
        return page(caller, NewRetraction.form(query), null).map(page -> html.show(shell, page));
    }

    @GetMapping("/retractions.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller) {
        return page(caller, FormState.with(Map.of()), null)
                .map(page -> twins.json("loomboard.retractions/1", page.twin()));
    }

    @GetMapping("/retractions.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller) {
        return store.all(caller, MOST).map(RetractionPages::row).collectList().map(rows -> twins.csv(CSV_HEAD, rows));
    }

    @GetMapping("/retractions.atom")
    Mono<ResponseEntity<byte[]>> feed(Caller caller) {
        return store.all(caller, MOST_IN_FEED)
                .map(RetractionPages::entry)
                .collectList()
                .map(entries -> ResponseEntity.ok()
                        .contentType(MediaType.parseMediaType(Atom.MEDIA_TYPE))
                        .header(HttpHeaders.VARY, "Cookie")
                        .cacheControl(CacheControl.noCache())
                        .body(Atom.feed(
                                publicUrl.configured(),
                                "retractions",
                                Urls.retractionFeed(),
                                Urls.retractions(),
                                entries)));
    }

    @PostMapping("/retractions")
    Mono<ResponseEntity<byte[]>> retract(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(FormState::typed)
                .flatMap(form -> (ofRun(form) ? Mono.<Void>empty() : administrator(person))
                        .then(Mono.defer(() -> retract(shell, person, form))));
    }

    private Mono<ResponseEntity<byte[]>> retract(PageContext shell, Caller.Person person, FormState form) {
        NewRetraction.Typed typed = NewRetraction.typed(form);
        NewRetraction retraction = typed.retraction();
        if (retraction == null) {
            return refused(shell, person, typed.form(), null);
        }
        return service.retract(retraction.of(), retraction.reason(), person).flatMap(outcome -> switch (outcome) {
            case DONE -> Mono.just(seeOther(Urls.retractions()));
            case UNKNOWN ->
                refused(
                        shell,
                        person,
                        form.refused(List.of(new FieldError(
                                "version",
                                "has no result that you may see; the pages of trials, runs and machines link here"))),
                        null);
            case FORBIDDEN ->
                Mono.error(() -> Problem.of(
                                403,
                                "owners-only",
                                "Only for owners",
                                "Only an owner of its workspace or an administrator retracts a run.")
                        .asException());
            case TWICE ->
                Mono.error(() -> Problem.conflict("retracted", "It is retracted already.")
                        .asException());
        });
    }

    @PostMapping("/retractions/{id}/withdraw")
    Mono<ResponseEntity<byte[]>> withdraw(
            PageContext shell, Caller.Person person, @PathVariable String id, ServerWebExchange exchange) {
        return administrator(person)
                .then(exchange.getFormData())
                .map(FormState::typed)
                .flatMap(form -> withdraw(shell, person, id, form));
    }

    private Mono<ResponseEntity<byte[]>> withdraw(PageContext shell, Caller.Person person, String id, FormState form) {
        if (!ExternalId.isOf("ret", id)) {
            return Mono.error(() -> Problem.notFound().asException());
        }
        String why = form.value("withdrawal").strip();
        List<FieldError> problems = new ArrayList<>();
        NewRetraction.text(problems, "withdrawal", why, NewRetraction.LONGEST);
        if (!problems.isEmpty()) {
            return refused(
                    shell,
                    person,
                    NewRetraction.form(Map.of()),
                    new RetractionsPage.Refused(id, form.refused(problems)));
        }
        return service.withdraw(id, why, person).flatMap(outcome -> switch (outcome) {
            case DONE -> Mono.just(seeOther(Urls.retractions()));
            case UNKNOWN, FORBIDDEN -> Mono.error(() -> Problem.notFound().asException());
            case TWICE ->
                Mono.error(() -> Problem.conflict("withdrawn", "This retraction is withdrawn already.")
                        .asException());
        });
    }

    private Mono<ResponseEntity<byte[]>> refused(
            PageContext shell, Caller.Person person, FormState form, RetractionsPage.@Nullable Refused withdrawal) {
        return page(person, form, withdrawal)
                .map(page -> html.show(HttpStatus.UNPROCESSABLE_CONTENT, shell.whole(), page));
    }

    private Mono<RetractionsPage> page(Caller caller, FormState form, RetractionsPage.@Nullable Refused withdrawal) {
        boolean administrator = caller instanceof Caller.Person person && person.administrator();
        boolean may = administrator || caller instanceof Caller.Person && ofRun(form);
        Mono<List<Version>> versions = administrator ? store.current(caller).collectList() : Mono.just(List.of());
        return Mono.zip(store.all(caller, MOST).collectList(), versions)
                .map(found -> new RetractionsPage(
                        found.getT1(), may ? form : null, administrator, withdrawal, found.getT2()));
    }

    /** What an owner may retract as well. */
    private static boolean ofRun(FormState form) {
        return form.value("kind").equals(Version.Kind.RUN.wire());
    }

    private static Mono<Void> administrator(Caller.Person person) {
        return person.administrator()
                ? Mono.empty()
                : Mono.error(() -> Problem.administratorsOnly(
                                "A retraction applies to all results of the installation. Ask an administrator.")
                        .asException());
    }

    private static List<@Nullable Object> row(Retraction r) {
        return Arrays.asList(
                r.id(),
                r.kind().wire(),
                r.name(),
                r.version(),
                r.reason(),
                r.at(),
                r.by(),
                r.withdrawnAt(),
                r.withdrawnBy(),
                r.withdrawal());
    }

    private static Atom.Entry entry(Retraction r) {
        String withdrawn =
                r.stands() ? "" : " Withdrawn by " + r.withdrawnBy() + " on " + r.withdrawnAt() + ": " + r.withdrawal();
        return new Atom.Entry(
                r.id(),
                (r.stands() ? "Retracted: " : "Withdrawn, no longer retracted: ") + r.subject(),
                Urls.retraction(r.id()),
                r.at(),
                r.updated(),
                "Retracted by " + r.by() + " on " + r.at() + ": " + r.reason() + withdrawn);
    }
}
