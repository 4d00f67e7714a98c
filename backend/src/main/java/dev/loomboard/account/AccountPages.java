package dev.loomboard.account;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.credential.NewAccount;
import dev.loomboard.credential.PasswordCheckService;
import dev.loomboard.credential.SignInProvider;
import dev.loomboard.credential.SignInThrottle;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.session.Entrance;
import dev.loomboard.signin.SignInResult;
import dev.loomboard.signin.SignInService;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** A person's own account: the password, and where it is signed in. */
@Controller
class AccountPages {

    private final SignInService signIn;
    private final OwnAccountService own;
    private final PasswordCheckService checks;
    private final QuotaService quotas;
    private final SignInProvider provider;
    private final PageRenderer html;
    private final DataTwins twins;

    AccountPages(
            SignInService signIn,
            OwnAccountService own,
            PasswordCheckService checks,
            QuotaService quotas,
            SignInProvider provider,
            PageRenderer html,
            DataTwins twins) {
        this.signIn = signIn;
        this.own = own;
        this.checks = checks;
        this.quotas = quotas;
        this.provider = provider;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/account")
    Mono<ResponseEntity<byte[]>> account(
            PageContext shell,
            Caller.Person person,
            ServerWebExchange exchange,
            @RequestParam(defaultValue = "") String changed) {
        return page(HttpStatus.OK, shell, person, exchange, FormState.with(Map.of()), done(changed));
    }

    @GetMapping("/account.json")
    Mono<ResponseEntity<byte[]>> json(Caller.Person person, ServerWebExchange exchange) {
        return session(exchange)
                .flatMap(session -> own.of(person, session))
                .map(account -> twins.json("loomboard.account/1", account));
    }

    @PostMapping("/account/password")
    Mono<ResponseEntity<byte[]>> changePassword(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData().map(FormState::typed).flatMap(form -> {
            List<FieldError> problems = NewAccount.newPasswordProblems(form);
            return problems.isEmpty()
                    ? signIn.changePassword(
                                    person,
                                    Entrance.proof(exchange, form.value("current")),
                                    form.value("password"),
                                    Entrance.visitor(exchange))
                            .flatMap(result -> changed(shell, person, exchange, result))
                    : refused(HttpStatus.UNPROCESSABLE_CONTENT, shell, person, exchange, problems);
        });
    }

    private Mono<ResponseEntity<byte[]>> changed(
            PageContext shell, Caller.Person person, ServerWebExchange exchange, SignInResult result) {
        return switch (result) {
            case SignInResult.SignedIn in ->
                Mono.just(Entrance.enter(exchange, in.session(), PeopleUrls.accountAfter("password")));
            case SignInResult.SecondStep step -> Mono.just(seeOther(PeopleUrls.account())); // never within a session
            case SignInResult.Refused refused ->
                refused(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        shell,
                        person,
                        exchange,
                        List.of(new FieldError("current", "is wrong")));
            case SignInResult.Throttled throttled ->
                refused(
                        HttpStatus.TOO_MANY_REQUESTS,
                        shell,
                        person,
                        exchange,
                        List.of(new FieldError("current", SignInThrottle.TOO_MANY)));
        };
    }

    @PostMapping("/account/sessions/{id}/revoke")
    Mono<ResponseEntity<byte[]>> endSession(Caller.Person person, @PathVariable String id) {
        return Mono.just(id)
                .filter(text -> ExternalId.isOf("ses", text))
                .flatMap(session -> own.endSession(person, session))
                .filter(ended -> ended)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                .thenReturn(seeOther(PeopleUrls.accountAfter("session")));
    }

    @PostMapping("/account/sessions/revoke-others")
    Mono<ResponseEntity<byte[]>> endOtherSessions(Caller.Person person, ServerWebExchange exchange) {
        return session(exchange)
                .flatMap(session -> own.endOtherSessions(person, session)
                        .thenReturn(seeOther(PeopleUrls.accountAfter("sessions"))));
    }

    private Mono<ResponseEntity<byte[]>> refused(
            HttpStatus status,
            PageContext shell,
            Caller.Person person,
            ServerWebExchange exchange,
            List<FieldError> problems) {
        return page(status, shell, person, exchange, FormState.with(Map.of()).refused(problems), null);
    }

    private Mono<ResponseEntity<byte[]>> page(
            HttpStatus status,
            PageContext shell,
            Caller.Person person,
            ServerWebExchange exchange,
            FormState form,
            @Nullable String done) {
        boolean inWorkspace = !person.workspaces().isEmpty();
        return session(exchange)
                .flatMap(session ->
                        Mono.zip(own.of(person, session), quotas.owned(person), checks.asked(person, session)))
                .map(all -> new AccountPage(
                        all.getT1(), inWorkspace, all.getT2(), provider.name(), all.getT3(), form, done))
                .map(page -> html.show(status, shell, page));
    }

    /** A person is known by nothing else. */
    private static Mono<Secret> session(ServerWebExchange exchange) {
        return Mono.justOrEmpty(Entrance.session(exchange));
    }

    private static @Nullable String done(String changed) {
        return switch (changed) {
            case "password" -> "The password is changed; every other browser is signed out.";
            case "session" -> "That browser is signed out.";
            case "sessions" -> "Every other browser is signed out.";
            default -> null;
        };
    }
}
