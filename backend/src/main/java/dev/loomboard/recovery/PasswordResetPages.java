package dev.loomboard.recovery;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.credential.NewAccount;
import dev.loomboard.credential.SignInThrottle;
import dev.loomboard.kernel.Secret;
import dev.loomboard.session.Entrance;
import dev.loomboard.signin.SignInPage;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.Urls;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Forgotten passwords. */
@Controller
class PasswordResetPages {

    private final PasswordResetService resets;
    private final PageRenderer html;

    PasswordResetPages(PasswordResetService resets, PageRenderer html) {
        this.resets = resets;
        this.html = html;
    }

    @GetMapping("/reset-password")
    ResponseEntity<byte[]> form(PageContext shell, @RequestParam(defaultValue = "false") boolean asked) {
        return html.show(shell, new PasswordResetPage(resets.mails(), asked, FormState.with(Map.of())));
    }

    @PostMapping("/reset-password")
    Mono<ResponseEntity<byte[]>> ask(PageContext shell, ServerWebExchange exchange) {
        if (!resets.mails()) {
            return Mono.just(seeOther(PeopleUrls.resetPassword()));
        }
        return exchange.getFormData()
                .map(FormState::typed)
                .flatMap(form -> resets.ask(form.value("email"), Entrance.visitor(exchange))
                        .map(allowed -> allowed ? seeOther(PeopleUrls.resetPasswordAsked()) : tooMany(shell, form)));
    }

    private ResponseEntity<byte[]> tooMany(PageContext shell, FormState form) {
        FormState refused = form.refused(List.of(new FieldError("email", SignInThrottle.TOO_MANY)));
        return html.show(HttpStatus.TOO_MANY_REQUESTS, shell, new PasswordResetPage(resets.mails(), false, refused));
    }

    @GetMapping("/reset-password/{token}")
    Mono<ResponseEntity<byte[]>> newPasswordForm(PageContext shell, @PathVariable String token) {
        return link(token)
                .filterWhen(resets::works)
                .map(link -> html.show(shell, new NewPasswordPage(token, FormState.with(Map.of()))))
                .switchIfEmpty(linkIsOver());
    }

    @PostMapping("/reset-password/{token}")
    Mono<ResponseEntity<byte[]>> newPassword(
            PageContext shell, ServerWebExchange exchange, @PathVariable String token) {
        return exchange.getFormData().map(FormState::typed).flatMap(form -> {
            List<FieldError> problems = NewAccount.newPasswordProblems(form);
            if (!problems.isEmpty()) {
                FormState refused = FormState.with(Map.of()).refused(problems);
                return Mono.just(
                        html.show(HttpStatus.UNPROCESSABLE_CONTENT, shell, new NewPasswordPage(token, refused)));
            }
            return link(token)
                    .flatMap(link -> resets.use(link, form.value("password")))
                    .filter(used -> used)
                    .map(used -> seeOther(PeopleUrls.signInAfter(SignInPage.AFTER_RESET, Urls.home())))
                    .switchIfEmpty(linkIsOver());
        });
    }

    private static Mono<Secret> link(String token) {
        return Secret.isOf("lbl", token) ? Mono.just(new Secret(token)) : Mono.empty();
    }

    private static <T> Mono<T> linkIsOver() {
        return Mono.error(Problem.of(
                        404,
                        "reset-link",
                        "This link does not work",
                        "It was used, or is more than " + PasswordResetService.LINK_LIFE.toMinutes()
                                + " minutes old. Ask for another one where you sign in.")
                .asException());
    }
}
