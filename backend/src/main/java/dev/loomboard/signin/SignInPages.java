package dev.loomboard.signin;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.credential.SignInProvider;
import dev.loomboard.credential.SignInThrottle;
import dev.loomboard.credential.SignUpMode;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.mail.MailService;
import dev.loomboard.session.Entrance;
import dev.loomboard.web.Cookies;
import dev.loomboard.web.FormState;
import dev.loomboard.web.FormToken;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Urls;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Signing in, by a second step where the account has one, and out. All of it works without scripts. */
@Controller
class SignInPages {

    private final SignInService signIn;
    private final EntryService entries;
    private final SignUpMode signUp;
    private final SignInProvider provider;
    private final MailService mails;
    private final PageRenderer html;

    SignInPages(
            SignInService signIn,
            EntryService entries,
            SignUpMode signUp,
            SignInProvider provider,
            MailService mails,
            PageRenderer html) {
        this.signIn = signIn;
        this.entries = entries;
        this.signUp = signUp;
        this.provider = provider;
        this.mails = mails;
        this.html = html;
    }

    @GetMapping("/sign-in")
    ResponseEntity<byte[]> form(
            PageContext shell,
            @RequestParam(defaultValue = "/") String next,
            @RequestParam(defaultValue = "") String after) {
        return show(HttpStatus.OK, shell, Entrance.ownPath(next), "", null, notice(after));
    }

    @PostMapping("/sign-in")
    Mono<ResponseEntity<byte[]>> signIn(PageContext shell, ServerWebExchange exchange) {
        return exchange.getFormData().map(FormState::typed).flatMap(form -> {
            String email = form.value("email");
            String next = Entrance.ownPath(form.value("next"));
            return signIn.signIn(email, form.value("password"), Entrance.visitor(exchange))
                    .map(result -> answer(shell, exchange, email, next, result));
        });
    }

    private ResponseEntity<byte[]> answer(
            PageContext shell, ServerWebExchange exchange, String email, String next, SignInResult result) {
        return switch (result) {
            case SignInResult.SignedIn in -> Entrance.enter(exchange, in.session(), next);
            case SignInResult.SecondStep step -> Entrance.askForCode(exchange, step.waiting(), next);
            case SignInResult.Refused refused ->
                show(HttpStatus.UNPROCESSABLE_CONTENT, shell, next, email, "Email or password is wrong.", null);
            case SignInResult.Throttled throttled ->
                show(HttpStatus.TOO_MANY_REQUESTS, shell, next, email, SignInThrottle.TOO_MANY, null);
        };
    }

    @GetMapping("/sign-in/code")
    ResponseEntity<byte[]> codeForm(
            PageContext shell, ServerWebExchange exchange, @RequestParam(defaultValue = "/") String next) {
        return waiting(exchange).isPresent()
                ? html.show(shell, new SignInCodePage(Entrance.ownPath(next), null))
                : over();
    }

    @PostMapping("/sign-in/code")
    Mono<ResponseEntity<byte[]>> code(PageContext shell, ServerWebExchange exchange) {
        Optional<Secret> waiting = waiting(exchange);
        if (waiting.isEmpty()) {
            return Mono.just(over());
        }
        return exchange.getFormData().map(FormState::typed).flatMap(form -> {
            String next = Entrance.ownPath(form.value("next"));
            return entries.secondStep(waiting.get(), form.value("code"), Entrance.visitor(exchange))
                    .map(result -> stepped(shell, exchange, next, result))
                    .switchIfEmpty(Mono.fromSupplier(SignInPages::over));
        });
    }

    private ResponseEntity<byte[]> stepped(
            PageContext shell, ServerWebExchange exchange, String next, SignInResult result) {
        return switch (result) {
            case SignInResult.SignedIn in -> {
                exchange.getResponse().addCookie(Cookies.of(exchange, Entrance.STEP_COOKIE, "", Duration.ZERO));
                yield Entrance.enter(exchange, in.session(), next);
            }
            case SignInResult.SecondStep step -> Entrance.askForCode(exchange, step.waiting(), next);
            case SignInResult.Refused refused ->
                html.show(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        shell,
                        new SignInCodePage(next, "This code is wrong, or was used already."));
            case SignInResult.Throttled throttled ->
                html.show(HttpStatus.TOO_MANY_REQUESTS, shell, new SignInCodePage(next, SignInThrottle.TOO_MANY));
        };
    }

    /** The wait for the code has ended, or never began: from the start again. */
    private static ResponseEntity<byte[]> over() {
        return seeOther(PeopleUrls.signInAfter(SignInPage.AFTER_STEP, Urls.home()));
    }

    @PostMapping("/sign-out")
    Mono<ResponseEntity<byte[]>> signOut(Caller.Person person, ServerWebExchange exchange) {
        return signIn.signOut(person, Entrance.session(exchange).orElse(null)).then(Mono.fromSupplier(() -> {
            exchange.getResponse().addCookie(Cookies.of(exchange, FormToken.SESSION_COOKIE, "", Duration.ZERO));
            return seeOther(Urls.home());
        }));
    }

    private ResponseEntity<byte[]> show(
            HttpStatus status,
            PageContext shell,
            String next,
            String email,
            @Nullable String problem,
            @Nullable String notice) {
        boolean mayAsk = signUp != SignUpMode.CLOSED;
        return html.show(
                status,
                shell,
                new SignInPage(next, email, problem, notice, mayAsk, provider.name(), mails.configured()));
    }

    private static @Nullable String notice(String after) {
        return switch (after) {
            case SignInPage.AFTER_SIGN_UP ->
                "If the address was free, it has an account now: sign in. If you cannot, it had one before.";
            case SignInPage.AFTER_RESET ->
                "The password is changed, and every browser is signed out. Sign in with the new one.";
            case SignInPage.AFTER_STEP -> "The time to type the code is over. Sign in again.";
            case SignInPage.AFTER_DELETION -> "Your account is deleted.";
            default -> null;
        };
    }

    private static Optional<Secret> waiting(ServerWebExchange exchange) {
        return Optional.ofNullable(Cookies.value(exchange, Entrance.STEP_COOKIE))
                .filter(value -> Secret.isOf("lbc", value))
                .map(Secret::new);
    }
}
