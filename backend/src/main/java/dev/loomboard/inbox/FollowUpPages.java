package dev.loomboard.inbox;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.bisection.BisectionService;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Right;
import dev.loomboard.regression.DefaultRerunService;
import dev.loomboard.regression.Regression;
import dev.loomboard.regression.RegressionStore;
import dev.loomboard.regression.RerunService;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Owners have the machine's time spent on a regression, from its page: a rerun, one with defaults as before, or a bisection, whose cost it shows. */
@Controller
class FollowUpPages {

    private final RegressionStore store;
    private final BisectionService service;
    private final RerunService reruns;
    private final DefaultRerunService defaults;

    FollowUpPages(RegressionStore store, BisectionService service, RerunService reruns, DefaultRerunService defaults) {
        this.store = store;
        this.service = service;
        this.reruns = reruns;
        this.defaults = defaults;
    }

    @PostMapping("/regressions/{id}/rerun")
    Mono<ResponseEntity<byte[]>> rerun(Caller.Person person, @PathVariable String id) {
        return changed(person, id)
                .filter(Regression::mayBeRerun)
                .switchIfEmpty(Mono.error(() -> Problem.conflict(
                                "has-rerun", "A rerun of both builds exists already or is queued: see the page.")
                        .asException()))
                .flatMap(found -> reruns.ask(found, person).thenReturn(found))
                .map(found -> seeOther(Urls.regression(id)));
    }

    @PostMapping("/regressions/{id}/default-rerun")
    Mono<ResponseEntity<byte[]>> defaultRerun(
            Caller.Person person, @PathVariable String id, ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(form -> FormState.typed(form).value("flag"))
                .flatMap(flag -> owned(person, id)
                        .flatMap(found -> defaults.ask(found, person, flag).thenReturn(found)))
                .map(found -> seeOther(Urls.regression(id) + "#defaults"));
    }

    @PostMapping("/regressions/{id}/bisection")
    Mono<ResponseEntity<byte[]>> start(Caller.Person person, @PathVariable String id, ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(form -> FormState.typed(form).value("trials"))
                .flatMap(trials -> owned(person, id).flatMap(found -> service.start(found, person, trials)))
                .map(started -> seeOther(Urls.regression(id) + "#bisection"));
    }

    @PostMapping("/regressions/{id}/bisection/cancel")
    Mono<ResponseEntity<byte[]>> cancel(Caller.Person person, @PathVariable String id) {
        return owned(person, id)
                .flatMap(found -> service.cancel(found, person).thenReturn(found))
                .map(found -> seeOther(Urls.regression(id) + "#bisection"));
    }

    private Mono<Regression> owned(Caller.Person person, String id) {
        return changed(person, id)
                .filter(Regression::regression)
                .switchIfEmpty(Mono.error(() -> Problem.conflict(
                                "not-confirmed",
                                "Only a confirmed regression can be investigated. This change is not one, or no longer.")
                        .asException()));
    }

    private Mono<Regression> changed(Caller.Person person, String id) {
        return (ExternalId.isOf("chg", id) ? store.find(person, id) : Mono.<Regression>empty())
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                .filter(found -> person.may(Right.LOOK_INTO, found.workspaceKey()))
                .switchIfEmpty(Mono.error(() -> Problem.of(
                                403,
                                "owners-only",
                                "Only for owners",
                                "It uses machine time, so only owners of the workspace start and cancel it. Ask one of them.")
                        .asException()));
    }
}
