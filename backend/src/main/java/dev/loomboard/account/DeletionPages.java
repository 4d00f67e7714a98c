package dev.loomboard.account;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.credential.SignInThrottle;
import dev.loomboard.kernel.Caller;
import dev.loomboard.session.Entrance;
import dev.loomboard.signin.SignInPage;
import dev.loomboard.web.Cookies;
import dev.loomboard.web.FormState;
import dev.loomboard.web.FormToken;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.Urls;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** What the service knows of a person, and its end. */
@Controller
class DeletionPages {

    private static final FormState BLANK = FormState.with(Map.of());

    private final AccountExportStore exports;
    private final AccountDeletionService deletions;
    private final PageRenderer html;

    DeletionPages(AccountExportStore exports, AccountDeletionService deletions, PageRenderer html) {
        this.exports = exports;
        this.deletions = deletions;
        this.html = html;
    }

    @GetMapping("/account/export.json")
    Mono<ResponseEntity<byte[]>> export(Caller.Person person) {
        return exports.of(person.account())
                .map(json -> ResponseEntity.ok()
                        .contentType(MediaType.APPLICATION_JSON)
                        .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"loomboard-account.json\"")
                        .cacheControl(CacheControl.noStore())
                        .body(json.getBytes(StandardCharsets.UTF_8)));
    }

    @GetMapping("/account/delete")
    Mono<ResponseEntity<byte[]>> form(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return deletions
                .reasons(person)
                .flatMap(reasons -> page(HttpStatus.OK, shell, person, exchange, reasons, BLANK));
    }

    @PostMapping("/account/delete")
    Mono<ResponseEntity<byte[]>> delete(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(FormState::typed)
                .flatMap(form -> deletions.delete(person, Entrance.proof(exchange, form.value("password"))))
                .flatMap(result -> answer(shell, person, exchange, result));
    }

    private Mono<ResponseEntity<byte[]>> answer(
            PageContext shell, Caller.Person person, ServerWebExchange exchange, DeletionResult result) {
        return switch (result) {
            case DeletionResult.Deleted deleted -> {
                exchange.getResponse().addCookie(Cookies.of(exchange, FormToken.SESSION_COOKIE, "", Duration.ZERO));
                yield Mono.just(seeOther(PeopleUrls.signInAfter(SignInPage.AFTER_DELETION, Urls.home())));
            }
            case DeletionResult.WrongPassword wrong ->
                page(HttpStatus.UNPROCESSABLE_CONTENT, shell, person, exchange, List.of(), refused("is wrong"));
            case DeletionResult.Throttled throttled ->
                page(
                        HttpStatus.TOO_MANY_REQUESTS,
                        shell,
                        person,
                        exchange,
                        List.of(),
                        refused(SignInThrottle.TOO_MANY));
            case DeletionResult.Needed needed ->
                page(HttpStatus.CONFLICT, shell, person, exchange, needed.reasons(), BLANK);
        };
    }

    private static FormState refused(String why) {
        return BLANK.refused(List.of(new FieldError("password", why)));
    }

    private Mono<ResponseEntity<byte[]>> page(
            HttpStatus status,
            PageContext shell,
            Caller.Person person,
            ServerWebExchange exchange,
            List<String> reasons,
            FormState form) {
        return deletions
                .asked(person, Entrance.session(exchange).orElse(null))
                .map(proof -> html.show(status, shell, new DeletionPage(reasons, proof, form)));
    }
}
