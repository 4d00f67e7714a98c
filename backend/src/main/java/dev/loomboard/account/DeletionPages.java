package dev.loomboard.account;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.Cookies;
import dev.loomboard.web.FormState;
import dev.loomboard.web.FormToken;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
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
    Mono<ResponseEntity<byte[]>> form(PageContext shell, Caller.Person person) {
        return deletions
                .reasons(person)
                .map(reasons -> html.show(shell, new DeletionPage(reasons, FormState.with(Map.of()))));
    }

    @PostMapping("/account/delete")
    Mono<ResponseEntity<byte[]>> delete(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(FormState::typed)
                .flatMap(form -> deletions.delete(person, form.value("password")))
                .map(result -> answer(shell, exchange, result));
    }

    private ResponseEntity<byte[]> answer(PageContext shell, ServerWebExchange exchange, DeletionResult result) {
        return switch (result) {
            case DeletionResult.Deleted deleted -> {
                exchange.getResponse().addCookie(Cookies.of(exchange, FormToken.SESSION_COOKIE, "", Duration.ZERO));
                yield Entrance.seeOther(Urls.signInAfter(SignInPages.AFTER_DELETION, Urls.home()));
            }
            case DeletionResult.WrongPassword wrong ->
                refused(HttpStatus.UNPROCESSABLE_CONTENT, shell, List.of(), "is wrong");
            case DeletionResult.Throttled throttled ->
                refused(HttpStatus.TOO_MANY_REQUESTS, shell, List.of(), SignInPages.TOO_MANY);
            case DeletionResult.Needed needed ->
                html.show(HttpStatus.CONFLICT, shell, new DeletionPage(needed.reasons(), FormState.with(Map.of())));
        };
    }

    private ResponseEntity<byte[]> refused(HttpStatus status, PageContext shell, List<String> reasons, String why) {
        FormState form = FormState.with(Map.of()).refused(List.of(new FieldError("password", why)));
        return html.show(status, shell, new DeletionPage(reasons, form));
    }
}
