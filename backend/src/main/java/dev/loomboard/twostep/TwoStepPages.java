package dev.loomboard.twostep;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.credential.AccountStore;
import dev.loomboard.credential.ProofAsked;
import dev.loomboard.credential.SignInThrottle;
import dev.loomboard.kernel.Caller;
import dev.loomboard.session.Entrance;
import dev.loomboard.twostep.TotpStore.Shared;
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
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Turning the two-step sign-in on and off. Its secrets are in no browser's cache. */
@Controller
class TwoStepPages {

    private static final FormState BLANK = FormState.with(Map.of());

    private final TwoStepService twoStep;
    private final AccountStore accounts;
    private final PageRenderer html;

    TwoStepPages(TwoStepService twoStep, AccountStore accounts, PageRenderer html) {
        this.twoStep = twoStep;
        this.accounts = accounts;
        this.html = html;
    }

    @GetMapping("/account/two-step")
    Mono<ResponseEntity<byte[]>> show(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return page(HttpStatus.OK, shell, person, exchange, List.of(), BLANK);
    }

    @PostMapping("/account/two-step")
    Mono<ResponseEntity<byte[]>> begin(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(FormState::typed)
                .flatMap(form -> twoStep.begin(person, Entrance.proof(exchange, form.value("password"))))
                .flatMap(answer -> answered(shell, person, exchange, answer));
    }

    @PostMapping("/account/two-step/confirm")
    Mono<ResponseEntity<byte[]>> confirm(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(FormState::typed)
                .flatMap(form -> twoStep.confirm(person, form.value("code")))
                .flatMap(confirmed -> confirmed.answer() == TwoStepService.Answer.RIGHT
                        ? page(HttpStatus.OK, shell, person, exchange, confirmed.recoveryCodes(), BLANK)
                        : answered(shell, person, exchange, confirmed.answer()));
    }

    @PostMapping("/account/two-step/disable")
    Mono<ResponseEntity<byte[]>> disable(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(FormState::typed)
                .flatMap(form ->
                        twoStep.disable(person, Entrance.proof(exchange, form.value("password")), form.value("code")))
                .flatMap(answer -> answered(shell, person, exchange, answer));
    }

    private Mono<ResponseEntity<byte[]>> answered(
            PageContext shell, Caller.Person person, ServerWebExchange exchange, TwoStepService.Answer answer) {
        return switch (answer) {
            case RIGHT -> Mono.just(seeOther(PeopleUrls.twoStep()));
            case WRONG_PASSWORD ->
                refused(HttpStatus.UNPROCESSABLE_CONTENT, shell, person, exchange, "password", "is wrong");
            case WRONG_CODE ->
                refused(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        shell,
                        person,
                        exchange,
                        "code",
                        "is wrong, or was used already");
            case THROTTLED ->
                refused(HttpStatus.TOO_MANY_REQUESTS, shell, person, exchange, "code", SignInThrottle.TOO_MANY);
        };
    }

    private Mono<ResponseEntity<byte[]>> refused(
            HttpStatus status,
            PageContext shell,
            Caller.Person person,
            ServerWebExchange exchange,
            String field,
            String why) {
        return page(status, shell, person, exchange, List.of(), BLANK.refused(List.of(new FieldError(field, why))));
    }

    private Mono<ResponseEntity<byte[]>> page(
            HttpStatus status,
            PageContext shell,
            Caller.Person person,
            ServerWebExchange exchange,
            List<String> recoveryCodes,
            FormState form) {
        return Mono.zip(
                        accounts.byId(person.account()),
                        twoStep.of(person).map(Optional::of).defaultIfEmpty(Optional.empty()),
                        twoStep.asked(person, Entrance.session(exchange).orElse(null)))
                .map(found -> page(found.getT1().email(), found.getT2(), found.getT3(), recoveryCodes, form))
                .map(page -> html.showNotStored(status, shell, page));
    }

    private static TwoStepPage page(
            String email, Optional<Shared> shared, ProofAsked proof, List<String> recoveryCodes, FormState form) {
        if (shared.isEmpty()) {
            return new TwoStepPage(false, null, null, List.of(), 0, proof, form);
        }
        Shared one = shared.get();
        return one.confirmed()
                ? new TwoStepPage(true, null, null, recoveryCodes, one.recoveryCodes(), proof, form)
                : new TwoStepPage(
                        false,
                        Totp.text(one.secret()),
                        QrPicture.of(Totp.uri(one.secret(), email)),
                        List.of(),
                        0,
                        proof,
                        form);
    }
}
