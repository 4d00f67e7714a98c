package dev.loomboard.openid;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.credential.PasswordCheckService;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.openid.OpenIdService.Arrival;
import dev.loomboard.openid.OpenIdService.Departure;
import dev.loomboard.session.Entrance;
import dev.loomboard.signin.SignInResult;
import dev.loomboard.web.Cookies;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** To the provider and back; and linking an account with it. Without a provider none of this is there. */
@Controller
class OpenIdPages {

    private static final FormState BLANK = FormState.with(Map.of());

    /** Holds the secret of the browser's visit. It is sent when the provider sends the browser back, since that is a GET. */
    private static final String COOKIE = "lb_openid";

    private final OpenIdService openId;
    private final Provider provider;
    private final PasswordCheckService checks;
    private final PageRenderer html;

    OpenIdPages(OpenIdService openId, Provider provider, PasswordCheckService checks, PageRenderer html) {
        this.openId = openId;
        this.provider = provider;
        this.checks = checks;
        this.html = html;
    }

    @GetMapping("/sign-in/openid")
    Mono<ResponseEntity<byte[]>> signIn(ServerWebExchange exchange, @RequestParam(defaultValue = "/") String next) {
        return configured()
                .then(Mono.defer(() -> openId.signIn(Entrance.ownPath(next), Entrance.visitor(exchange))))
                .map(departure -> leave(exchange, departure));
    }

    @GetMapping("/sign-in/openid/callback")
    Mono<ResponseEntity<byte[]>> callback(
            ServerWebExchange exchange,
            Caller caller,
            @RequestParam(defaultValue = "") String state,
            @RequestParam(defaultValue = "") String code,
            @RequestParam(defaultValue = "") String error,
            @RequestParam(defaultValue = "") String iss) {
        String cookie = Cookies.value(exchange, COOKIE);
        if (cookie == null || !Secret.isOf("lbo", cookie)) {
            return configured().then(Mono.error(OpenIdProblems.begunElsewhere()));
        }
        Arrival arrival = new Arrival(caller, Entrance.session(exchange).orElse(null), Entrance.visitor(exchange));
        return configured()
                .then(Mono.defer(() ->
                        openId.comeBack(new Secret(cookie), new ProviderAnswer(state, code, error, iss), arrival)))
                .map(result -> arrived(exchange, result));
    }

    private static ResponseEntity<byte[]> arrived(ServerWebExchange exchange, OpenIdResult result) {
        exchange.getResponse().addCookie(Cookies.of(exchange, COOKIE, "", Duration.ZERO));
        return switch (result) {
            case OpenIdResult.Linked linked -> seeOther(PeopleUrls.openIdAccountAfter("linked"));
            case OpenIdResult.Proven proven -> seeOther(Entrance.ownPath(proven.next()));
            case OpenIdResult.Known known -> {
                String next = Entrance.ownPath(known.next());
                yield switch (known.entry()) {
                    case SignInResult.SignedIn in -> Entrance.enter(exchange, in.session(), next);
                    case SignInResult.SecondStep step -> Entrance.askForCode(exchange, step.waiting(), next);
                    case SignInResult.Refused refused -> throw OpenIdProblems.disabled();
                    case SignInResult.Throttled throttled -> throw OpenIdProblems.tooMany();
                };
            }
        };
    }

    @GetMapping("/account/openid")
    Mono<ResponseEntity<byte[]>> page(
            PageContext shell,
            Caller.Person person,
            ServerWebExchange exchange,
            @RequestParam(defaultValue = "") String changed) {
        return configured().then(Mono.defer(() -> page(HttpStatus.OK, shell, person, exchange, BLANK, done(changed))));
    }

    @GetMapping("/account/openid/prove")
    Mono<ResponseEntity<byte[]>> prove(
            Caller.Person person, ServerWebExchange exchange, @RequestParam(defaultValue = "/") String next) {
        return configured()
                .then(Mono.defer(() -> openId.prove(person, Entrance.ownPath(next), Entrance.visitor(exchange))))
                .map(departure -> leave(exchange, departure));
    }

    @PostMapping("/account/openid")
    Mono<ResponseEntity<byte[]>> link(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return checked(person, exchange, "account.link-identity-failed").flatMap(answer -> switch (answer) {
            case RIGHT ->
                openId.link(person, Entrance.visitor(exchange)).map(departure -> toLeave(shell, exchange, departure));
            case WRONG -> refused(HttpStatus.UNPROCESSABLE_CONTENT, shell, person, exchange, "is wrong");
            case THROTTLED -> tooMany(shell, person, exchange);
        });
    }

    @PostMapping("/account/openid/unlink")
    Mono<ResponseEntity<byte[]>> unlink(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return checked(person, exchange, "account.unlink-identity-failed").flatMap(answer -> switch (answer) {
            case RIGHT ->
                openId.unlink(person)
                        .map(unlinked -> seeOther(
                                unlinked ? PeopleUrls.openIdAccountAfter("unlinked") : PeopleUrls.openIdAccount()));
            case WRONG -> refused(HttpStatus.UNPROCESSABLE_CONTENT, shell, person, exchange, "is wrong");
            case THROTTLED -> tooMany(shell, person, exchange);
        });
    }

    private Mono<PasswordCheckService.Answer> checked(
            Caller.Person person, ServerWebExchange exchange, String failure) {
        return configured()
                .then(Mono.defer(exchange::getFormData))
                .map(FormState::typed)
                .flatMap(form -> checks.check(person, Entrance.proof(exchange, form.value("password")), failure));
    }

    private Mono<Void> configured() {
        return openId.configured()
                ? Mono.empty()
                : Mono.error(Problem.notFound().asException());
    }

    /** To another site, which gets nothing but the address. */
    private static ResponseEntity<byte[]> leave(ServerWebExchange exchange, Departure departure) {
        noteVisit(exchange, departure);
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .location(departure.to())
                .cacheControl(CacheControl.noStore())
                .build();
    }

    private ResponseEntity<byte[]> toLeave(PageContext shell, ServerWebExchange exchange, Departure departure) {
        noteVisit(exchange, departure);
        return html.show(
                shell, new OpenIdDeparturePage(provider.name(), departure.to().toString()));
    }

    private static void noteVisit(ServerWebExchange exchange, Departure departure) {
        exchange.getResponse()
                .addCookie(Cookies.of(exchange, COOKIE, departure.visit().value(), Visit.LIFE));
    }

    private Mono<ResponseEntity<byte[]>> tooMany(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return refused(HttpStatus.TOO_MANY_REQUESTS, shell, person, exchange, "was wrong too often: try again later");
    }

    private Mono<ResponseEntity<byte[]>> refused(
            HttpStatus status, PageContext shell, Caller.Person person, ServerWebExchange exchange, String why) {
        return page(status, shell, person, exchange, BLANK.refused(List.of(new FieldError("password", why))), null);
    }

    private Mono<ResponseEntity<byte[]>> page(
            HttpStatus status,
            PageContext shell,
            Caller.Person person,
            ServerWebExchange exchange,
            FormState form,
            @Nullable String done) {
        return Mono.zip(
                        openId.isLinked(person),
                        checks.asked(person, Entrance.session(exchange).orElse(null)))
                .map(both -> new OpenIdPage(provider.name(), both.getT1(), both.getT2(), form, done))
                .map(page -> html.show(status, shell, page));
    }

    private static @Nullable String done(String changed) {
        return switch (changed) {
            case "linked" -> "Your account is linked.";
            case "unlinked" -> "Your account is no longer linked.";
            default -> null;
        };
    }
}
