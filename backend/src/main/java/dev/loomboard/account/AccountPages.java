package dev.loomboard.account;

import dev.loomboard.account.SignInResult.Entry;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.web.ClientAddress;
import dev.loomboard.web.Cookies;
import dev.loomboard.web.FormToken;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Signing in and out, one's own password, and the first administrator. All of it works without scripts. */
@Controller
class AccountPages {

    private static final Pattern OWN_PATH = Pattern.compile("/(?!/)[A-Za-z0-9._~/?&=%:@,+-]*");

    private static final String TOO_MANY =
            "Too many attempts failed. Try again in " + SignInThrottle.WINDOW.toMinutes() + " minutes.";

    private final SignInService signIn;
    private final SetupService setup;
    private final AccountStore accounts;
    private final QuotaService quotas;
    private final PageRenderer html;

    AccountPages(
            SignInService signIn, SetupService setup, AccountStore accounts, QuotaService quotas, PageRenderer html) {
        this.signIn = signIn;
        this.setup = setup;
        this.accounts = accounts;
        this.quotas = quotas;
        this.html = html;
    }

    @GetMapping("/sign-in")
    ResponseEntity<byte[]> signInForm(PageContext shell, @RequestParam(defaultValue = "/") String next) {
        return html.show(shell, new SignInPage(ownPath(next), "", null));
    }

    @PostMapping("/sign-in")
    Mono<ResponseEntity<byte[]>> signIn(PageContext shell, ServerWebExchange exchange) {
        return exchange.getFormData().flatMap(form -> {
            String email = field(form, "email");
            String next = ownPath(field(form, "next"));
            return signIn.signIn(email, field(form, "password"), address(exchange), Cookies.all(exchange))
                    .map(result -> answer(shell, exchange, email, next, result));
        });
    }

    private ResponseEntity<byte[]> answer(
            PageContext shell, ServerWebExchange exchange, String email, String next, SignInResult result) {
        return switch (result) {
            case SignInResult.SignedIn in -> enter(exchange, in.entry(), next);
            case SignInResult.Refused refused ->
                html.show(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        shell,
                        new SignInPage(next, email, "Email or password is wrong."));
            case SignInResult.Throttled throttled ->
                html.show(HttpStatus.TOO_MANY_REQUESTS, shell, new SignInPage(next, email, TOO_MANY));
        };
    }

    @PostMapping("/sign-out")
    Mono<ResponseEntity<byte[]>> signOut(Caller.Person person, ServerWebExchange exchange) {
        return signIn.signOut(person, CallerFilter.session(exchange).orElse(null))
                .then(Mono.fromSupplier(() -> {
                    exchange.getResponse().addCookie(Cookies.of(exchange, FormToken.SESSION_COOKIE, "", Duration.ZERO));
                    return seeOther(Urls.home());
                }));
    }

    @GetMapping("/account")
    Mono<ResponseEntity<byte[]>> account(
            PageContext shell, Caller.Person person, @RequestParam(defaultValue = "false") boolean changed) {
        return accountPage(HttpStatus.OK, shell, person, List.of(), changed);
    }

    @PostMapping("/account/password")
    Mono<ResponseEntity<byte[]>> changePassword(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return exchange.getFormData().flatMap(form -> {
            List<String> problems = newPasswordProblems(form);
            return problems.isEmpty()
                    ? signIn.changePassword(person, field(form, "current"), field(form, "password"))
                            .flatMap(result -> changed(shell, person, exchange, result))
                    : accountPage(HttpStatus.UNPROCESSABLE_CONTENT, shell, person, problems, false);
        });
    }

    private Mono<ResponseEntity<byte[]>> changed(
            PageContext shell, Caller.Person person, ServerWebExchange exchange, SignInResult result) {
        return switch (result) {
            case SignInResult.SignedIn in -> Mono.just(enter(exchange, in.entry(), Urls.account() + "?changed=true"));
            case SignInResult.Refused refused ->
                accountPage(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        shell,
                        person,
                        List.of("The current password is wrong."),
                        false);
            case SignInResult.Throttled throttled ->
                accountPage(HttpStatus.TOO_MANY_REQUESTS, shell, person, List.of(TOO_MANY), false);
        };
    }

    @GetMapping("/setup/{token}")
    Mono<ResponseEntity<byte[]>> setupForm(PageContext shell, @PathVariable String token) {
        return link(token)
                .filterWhen(setup::works)
                .map(link -> html.show(shell, new SetupPage(token, "", "", List.of())))
                .switchIfEmpty(linkIsOver());
    }

    @PostMapping("/setup/{token}")
    Mono<ResponseEntity<byte[]>> setup(PageContext shell, ServerWebExchange exchange, @PathVariable String token) {
        return exchange.getFormData().flatMap(form -> {
            NewAccount account = NewAccount.of(field(form, "email"), field(form, "name"), field(form, "password"));
            List<String> problems = account.problems();
            return problems.isEmpty()
                    ? link(token)
                            .flatMap(link -> setup.use(link, account))
                            .map(entry -> enter(exchange, entry, Urls.home()))
                            .switchIfEmpty(linkIsOver())
                    : Mono.just(html.show(
                            HttpStatus.UNPROCESSABLE_CONTENT,
                            shell,
                            new SetupPage(token, account.email(), account.name(), problems)));
        });
    }

    private Mono<ResponseEntity<byte[]>> accountPage(
            HttpStatus status, PageContext shell, Caller.Person person, List<String> problems, boolean changed) {
        return Mono.zip(accounts.byId(person.account()), quotas.owned(person))
                .map(both -> html.show(
                        status,
                        shell,
                        new AccountPage(both.getT1().email(), person.name(), both.getT2(), problems, changed)));
    }

    private static List<String> newPasswordProblems(MultiValueMap<String, String> form) {
        String next = field(form, "password");
        List<String> problems = new ArrayList<>(NewAccount.passwordProblems(next));
        if (!next.equals(field(form, "repeated"))) {
            problems.add("The two new passwords differ.");
        }
        return problems;
    }

    private static Mono<Secret> link(String token) {
        return Secret.isOf("lbl", token) ? Mono.just(new Secret(token)) : Mono.empty();
    }

    private static <T> Mono<T> linkIsOver() {
        return Mono.error(Problem.of(
                        404,
                        "setup-link",
                        "This link does not work",
                        "It was used, or is more than a day old. While there is no administrator,"
                                + " every start of the service prints a new one.")
                .asException());
    }

    private static ResponseEntity<byte[]> enter(ServerWebExchange exchange, Entry entry, String next) {
        exchange.getResponse()
                .addCookie(Cookies.of(
                        exchange, FormToken.SESSION_COOKIE, entry.session().value(), SignInService.SESSION_LIFE));
        DeviceCookie device = entry.device();
        exchange.getResponse().addCookie(Cookies.of(exchange, device.name(), device.value(), DeviceCookie.LIFE));
        return seeOther(next);
    }

    private static ResponseEntity<byte[]> seeOther(String path) {
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .location(URI.create(path))
                .build();
    }

    /** Only a path of our own: "//host" and "/\\host" would lead away, and "/%zz" nowhere. */
    private static String ownPath(String next) {
        return OWN_PATH.matcher(next).matches() && isAddress(next) ? next : Urls.home();
    }

    private static boolean isAddress(String text) {
        try {
            new URI(text);
            return true;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static String field(MultiValueMap<String, String> form, String name) {
        String value = form.getFirst(name);
        return value == null ? "" : value;
    }

    private static String address(ServerWebExchange exchange) {
        return ClientAddress.group(exchange.getRequest().getRemoteAddress());
    }
}
