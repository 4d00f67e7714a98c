package dev.loomboard.outbox;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Where people choose what they are mailed, of each workspace that they belong to. */
@Controller
class MailChoicePages {

    private final MailChoiceStore store;
    private final MailChoiceService service;
    private final PageRenderer html;

    MailChoicePages(MailChoiceStore store, MailChoiceService service, PageRenderer html) {
        this.store = store;
        this.service = service;
        this.html = html;
    }

    @GetMapping("/account/mails")
    Mono<ResponseEntity<byte[]>> mails(
            PageContext shell, Caller.Person person, @RequestParam(defaultValue = "") String changed) {
        return page(HttpStatus.OK, shell, person, done(changed), "");
    }

    @PostMapping("/account/mails")
    Mono<ResponseEntity<byte[]>> choose(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData().map(FormState::typed).flatMap(form -> choose(shell, person, form));
    }

    private Mono<ResponseEntity<byte[]>> choose(PageContext shell, Caller.Person person, FormState form) {
        List<FieldError> problems = NewMailChoice.problems(form);
        return problems.isEmpty()
                ? store.put(person, NewMailChoice.of(form))
                        .switchIfEmpty(notFound())
                        .thenReturn(PageRenderer.seeOther(PeopleUrls.mailsAfter("choice")))
                : service.page(person, "", "")
                        .map(page -> html.show(
                                HttpStatus.UNPROCESSABLE_CONTENT, shell, page.refused(form.refused(problems))));
    }

    @PostMapping("/account/mails/test")
    Mono<ResponseEntity<byte[]>> test(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(form -> FormState.typed(form).value("workspace"))
                .filter(workspace ->
                        person.memberships().stream().anyMatch(m -> m.slug().equals(workspace)))
                .switchIfEmpty(notFound())
                .flatMap(workspace -> service.test(person, workspace))
                .flatMap(refused -> refused.isEmpty()
                        ? Mono.just(PageRenderer.seeOther(PeopleUrls.mailsAfter("test")))
                        : page(HttpStatus.CONFLICT, shell, person, "", refused));
    }

    private Mono<ResponseEntity<byte[]>> page(
            HttpStatus status, PageContext shell, Caller.Person person, String done, String refused) {
        return service.page(person, done, refused).map(page -> html.show(status, shell, page));
    }

    private static <T> Mono<T> notFound() {
        return Mono.error(() -> Problem.notFound().asException());
    }

    private static String done(String changed) {
        return switch (changed) {
            case "choice" -> "Your choice is saved.";
            case "test" -> "The test mail is on its way. Reload this page in a minute to see what came of it.";
            default -> "";
        };
    }
}
