package dev.loomboard.signup;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.credential.NewAccount;
import dev.loomboard.credential.SignInProvider;
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

/** Making an account. */
@Controller
class SignUpPages {

    private final SignUpService signUp;
    private final SignInProvider provider;
    private final PageRenderer html;

    SignUpPages(SignUpService signUp, SignInProvider provider, PageRenderer html) {
        this.signUp = signUp;
        this.provider = provider;
        this.html = html;
    }

    @GetMapping("/sign-up")
    Mono<ResponseEntity<byte[]>> form(
            PageContext shell,
            @RequestParam(defaultValue = "") String next,
            @RequestParam(defaultValue = "false") boolean asked) {
        FormState form = FormState.with(Map.of("next", next(next)));
        return signUp.open(form.value("next")).map(open -> html.show(shell, page(open, asked, form)));
    }

    @PostMapping("/sign-up")
    Mono<ResponseEntity<byte[]>> signUp(PageContext shell, ServerWebExchange exchange) {
        return exchange.getFormData().map(FormState::typed).flatMap(form -> {
            NewAccount account = NewAccount.of(form);
            List<FieldError> problems = account.problems();
            String next = next(form.value("next"));
            return problems.isEmpty()
                    ? signUp.ask(account, next, Entrance.visitor(exchange))
                            .map(result -> answer(shell, form, next, result))
                    : Mono.just(show(HttpStatus.UNPROCESSABLE_CONTENT, shell, true, form.refused(problems)));
        });
    }

    private ResponseEntity<byte[]> answer(PageContext shell, FormState form, String next, SignUpService.Answer answer) {
        return switch (answer) {
            case ASKED ->
                seeOther(
                        signUp.verifies()
                                ? PeopleUrls.signUpAsked()
                                : PeopleUrls.signInAfter(SignInPage.AFTER_SIGN_UP, next));
            case THROTTLED ->
                show(
                        HttpStatus.TOO_MANY_REQUESTS,
                        shell,
                        true,
                        form.refused(List.of(new FieldError("email", SignInThrottle.TOO_MANY))));
            case NOT_OPEN -> show(HttpStatus.FORBIDDEN, shell, false, form);
        };
    }

    @GetMapping("/sign-up/{token}")
    Mono<ResponseEntity<byte[]>> confirmForm(PageContext shell, @PathVariable String token) {
        return link(token)
                .filterWhen(signUp::works)
                .map(link -> html.show(shell, new SignUpConfirmPage(token, FormState.with(Map.of()))))
                .switchIfEmpty(linkIsOver());
    }

    @PostMapping("/sign-up/{token}")
    Mono<ResponseEntity<byte[]>> confirm(PageContext shell, ServerWebExchange exchange, @PathVariable String token) {
        return exchange.getFormData()
                .map(FormState::typed)
                .flatMap(form -> link(token)
                        .flatMap(link -> signUp.confirm(link, form.value("password"), Entrance.visitor(exchange))))
                .flatMap(result -> confirmed(shell, exchange, token, result))
                .switchIfEmpty(linkIsOver());
    }

    private Mono<ResponseEntity<byte[]>> confirmed(
            PageContext shell, ServerWebExchange exchange, String token, SignUpResult result) {
        return switch (result) {
            case SignUpResult.Made made -> Mono.just(Entrance.enter(exchange, made.session(), made.next()));
            case SignUpResult.WrongPassword wrong ->
                refused(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        shell,
                        token,
                        "is not the one that was chosen when the account was asked for");
            case SignUpResult.Throttled throttled ->
                refused(HttpStatus.TOO_MANY_REQUESTS, shell, token, SignInThrottle.TOO_MANY);
            case SignUpResult.Taken taken -> Mono.just(seeOther(PeopleUrls.signIn()));
            case SignUpResult.Closed closed -> linkIsOver();
        };
    }

    private Mono<ResponseEntity<byte[]>> refused(HttpStatus status, PageContext shell, String token, String why) {
        FormState form = FormState.with(Map.of()).refused(List.of(new FieldError("password", why)));
        return Mono.just(html.show(status, shell, new SignUpConfirmPage(token, form)));
    }

    private ResponseEntity<byte[]> show(HttpStatus status, PageContext shell, boolean open, FormState form) {
        return html.show(status, shell, page(open, false, form));
    }

    private SignUpPage page(boolean open, boolean asked, FormState form) {
        return new SignUpPage(signUp.mode(), open, signUp.verifies(), asked, provider.name(), form);
    }

    /** Who was not on the way to something needs a workspace first: all that one does is in one. */
    private static String next(String asked) {
        return Entrance.ownPath(asked, PeopleUrls.workspaces());
    }

    private static Mono<Secret> link(String token) {
        return Secret.isOf("lbl", token) ? Mono.just(new Secret(token)) : Mono.empty();
    }

    private static <T> Mono<T> linkIsOver() {
        return Mono.error(Problem.of(
                        404,
                        "sign-up-link",
                        "This link does not work",
                        "It was used, or is more than " + SignUpService.LINK_LIFE.toHours()
                                + " hours old. Sign in, or ask for the account again.")
                .asException());
    }
}
