package dev.loomboard.inbox;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Right;
import dev.loomboard.regression.Regression;
import dev.loomboard.regression.RegressionFilter;
import dev.loomboard.regression.RegressionStore;
import dev.loomboard.view.Atom;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageCache;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.PublicUrl;
import dev.loomboard.web.Urls;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The inbox, one change, and the feed of what was confirmed. */
@Controller
class RegressionPages {

    private static final MediaType ATOM = MediaType.parseMediaType(Atom.MEDIA_TYPE);

    private final RegressionStore store;
    private final TriageService service;
    private final PublicUrl publicUrl;
    private final PageRenderer html;
    private final PageCache cache;
    private final DataTwins twins;

    RegressionPages(
            RegressionStore store,
            TriageService service,
            PublicUrl publicUrl,
            PageRenderer html,
            PageCache cache,
            DataTwins twins) {
        this.store = store;
        this.service = service;
        this.publicUrl = publicUrl;
        this.html = html;
        this.cache = cache;
        this.twins = twins;
    }

    @GetMapping("/regressions")
    Mono<ResponseEntity<byte[]>> list(PageContext shell, Caller caller, @RequestParam Map<String, String> query) {
        return cache.page(shell, as -> page(caller, query).map(page -> html.show(as, page)));
    }

    @GetMapping("/regressions.json")
    Mono<ResponseEntity<byte[]>> listJson(Caller caller, @RequestParam Map<String, String> query) {
        return page(caller, query).map(page -> twins.json("loomboard.regressions/1", page.twin()));
    }

    @GetMapping("/regressions.csv")
    Mono<ResponseEntity<byte[]>> listCsv(Caller caller, @RequestParam Map<String, String> query) {
        RegressionFilter filter = RegressionFilter.of(query);
        return Flux.fromIterable(filter.kinds())
                .concatMap(kind -> store.list(caller, filter, kind).take(filter.limit()))
                .map(RegressionRows::row)
                .collectList()
                .map(rows -> twins.csv(RegressionRows.HEAD, rows));
    }

    @GetMapping("/regressions.atom")
    Mono<ResponseEntity<byte[]>> feed(Caller caller) {
        return store.feed(caller, Feed.MOST)
                .collectList()
                .map(found -> ResponseEntity.ok()
                        .contentType(ATOM)
                        .header(HttpHeaders.VARY, "Cookie")
                        .cacheControl(org.springframework.http.CacheControl.noCache())
                        .body(Feed.of(found, publicUrl.configured())));
    }

    @GetMapping("/regressions/{id}")
    Mono<ResponseEntity<byte[]>> one(PageContext shell, Caller caller, @PathVariable String id) {
        return find(caller, id)
                .flatMap(found -> service.page(found, caller, form(found)))
                .map(page -> html.show(shell, page));
    }

    @GetMapping("/regressions/{id}.json")
    Mono<ResponseEntity<byte[]>> oneJson(Caller caller, @PathVariable String id) {
        return find(caller, id)
                .flatMap(found -> service.page(found, caller, form(found)))
                .map(page -> twins.json("loomboard.regression/1", page.twin()));
    }

    @PostMapping("/regressions/{id}/triage")
    Mono<ResponseEntity<byte[]>> triage(
            PageContext shell, Caller.Person person, @PathVariable String id, ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(FormState::typed)
                .flatMap(form -> find(person, id)
                        .filter(found -> person.may(Right.TRIAGE, found.workspaceKey()))
                        .switchIfEmpty(Mono.error(() -> onlyMembers().asException()))
                        .flatMap(found -> service.page(found, person, form)))
                .flatMap(page -> triage(shell, person, page));
    }

    private Mono<ResponseEntity<byte[]>> triage(PageContext shell, Caller.Person person, RegressionPage page) {
        if (!page.mayTriage()) {
            return Mono.error(notConfirmed().asException());
        }
        Triage triage = Triage.of(page.form());
        List<Problem.FieldError> problems = triage.problems(page.members());
        if (!problems.isEmpty()) {
            return Mono.just(html.show(HttpStatus.UNPROCESSABLE_CONTENT, shell, page.refused(problems)));
        }
        return service.triage(page.regression(), person, triage)
                .filter(done -> done)
                .switchIfEmpty(Mono.error(() -> notConfirmed().asException()))
                .map(done -> seeOther(Urls.regression(page.regression().id())));
    }

    private Mono<RegressionsPage> page(Caller caller, Map<String, String> query) {
        RegressionFilter filter = RegressionFilter.of(query);
        return Flux.fromIterable(filter.kinds())
                .concatMap(kind -> store.list(caller, filter, kind).collectList())
                .collectList()
                .map(found -> RegressionsPage.of(
                        found, filter, RegressionsPage.query(Urls.regressions(), query), publicUrl.trusted()));
    }

    private Mono<Regression> find(Caller caller, String id) {
        return (ExternalId.isOf("chg", id) ? store.find(caller, id) : Mono.<Regression>empty())
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()));
    }

    private static FormState form(Regression regression) {
        return FormState.with(Map.of(
                "state",
                regression.triaged().triage().wire(),
                "owner",
                Objects.requireNonNullElse(regression.ownerId(), "")));
    }

    private static Problem onlyMembers() {
        return Problem.of(
                403,
                "members-only",
                "Only for members",
                "Only members and owners of its workspace triage a regression. Ask one of them.");
    }

    private static Problem notConfirmed() {
        return Problem.conflict(
                "not-confirmed", "Only a confirmed regression has a state. This change is not one, or no longer.");
    }
}
