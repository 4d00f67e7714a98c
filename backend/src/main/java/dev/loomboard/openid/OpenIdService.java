package dev.loomboard.openid;

import com.github.benmanes.caffeine.cache.Ticker;
import com.nimbusds.jose.jwk.JWKSet;
import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.NewAccount;
import dev.loomboard.credential.PasswordCheckService;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.openid.IdTokenCheck.Expected;
import dev.loomboard.openid.ProviderService.Tokens;
import dev.loomboard.openid.Visit.Errand;
import dev.loomboard.openid.Visit.Purpose;
import dev.loomboard.session.Visitor;
import dev.loomboard.signin.EntryService;
import dev.loomboard.signup.SignUpService;
import dev.loomboard.signup.VouchedResult;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.ProblemException;
import dev.loomboard.web.PublicUrl;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/**
 * Sends browsers to the provider, and says what their coming back means. An identity signs in to the account that it is linked with
 * and to no other: addresses decide nothing.
 */
@Service
class OpenIdService {

    private static final Logger LOG = LoggerFactory.getLogger(OpenIdService.class);
    private static final String BY = "openid";

    private final Provider provider;
    private final ProviderService providers;
    private final OpenIdStore store;
    private final EntryService entries;
    private final SignUpService signUp;
    private final PasswordCheckService checks;
    private final AuditStore audit;
    private final PublicUrl publicUrl;
    private final TransactionalOperator transaction;
    private final Clock clock;
    private final OpenIdProblems problems;
    private final VisitThrottle throttle = new VisitThrottle(Ticker.systemTicker());

    OpenIdService(
            Provider provider,
            ProviderService providers,
            OpenIdStore store,
            EntryService entries,
            SignUpService signUp,
            PasswordCheckService checks,
            AuditStore audit,
            PublicUrl publicUrl,
            TransactionalOperator transaction,
            Clock clock) {
        this.provider = provider;
        this.providers = providers;
        this.store = store;
        this.entries = entries;
        this.signUp = signUp;
        this.checks = checks;
        this.audit = audit;
        this.publicUrl = publicUrl;
        this.transaction = transaction;
        this.clock = clock;
        this.problems = new OpenIdProblems(provider.name());
    }

    /**
     * A browser that may go.
     *
     * @param to the provider's address
     * @param visit for the browser's cookie
     */
    record Departure(URI to, Secret visit) {}

    /**
     * Who came back.
     *
     * @param session the browser's; null: it has none
     */
    record Arrival(Caller caller, @Nullable Secret session, Visitor visitor) {}

    boolean configured() {
        return provider.configured();
    }

    Mono<Boolean> isLinked(Caller.Person person) {
        return store.isLinked(person.account(), provider.issuer());
    }

    Mono<Departure> signIn(String next, Visitor visitor) {
        return begin(new Errand(Purpose.SIGN_IN, null, next, clock.instant()), visitor);
    }

    Mono<Departure> link(Caller.Person person, Visitor visitor) {
        return begin(new Errand(Purpose.LINK, person.account(), PeopleUrls.openIdAccount(), clock.instant()), visitor);
    }

    Mono<Departure> prove(Caller.Person person, String next, Visitor visitor) {
        return begin(new Errand(Purpose.PROVE, person.account(), next, clock.instant()), visitor);
    }

    private Mono<Departure> begin(Errand errand, Visitor visitor) {
        if (!throttle.allows(visitor.address())) {
            return Mono.error(OpenIdProblems.tooMany());
        }
        Visit visit = Visit.begun();
        return providers
                .document()
                .delayUntil(document -> store.begin(visit.secret(), errand)
                        .flatMap(begun -> begun ? Mono.empty() : Mono.error(OpenIdProblems.tooMany())))
                .map(document ->
                        new Departure(address(document.authorization(), visit, errand.purpose()), visit.secret()));
    }

    private URI address(URI authorization, Visit visit, Purpose purpose) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", provider.clientId());
        query.put("redirect_uri", redirect());
        query.put("scope", "openid email profile");
        query.put("state", visit.state());
        query.put("nonce", visit.nonce());
        query.put("code_challenge", visit.challenge());
        query.put("code_challenge_method", "S256");
        if (purpose == Purpose.PROVE) {
            query.put("prompt", "login");
            query.put("max_age", "0");
        }
        String base = authorization.toString();
        return URI.create(base
                + (base.contains("?") ? "&" : "?")
                + query.entrySet().stream()
                        .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&")));
    }

    /** Never made of what a request says of itself. */
    private String redirect() {
        return publicUrl.trusted() + PeopleUrls.openIdCallback();
    }

    /** Uses the visit up, whatever comes of it; one that began in another browser is left alone. */
    Mono<OpenIdResult> comeBack(Secret cookie, ProviderAnswer answer, Arrival arrival) {
        Visit visit = new Visit(cookie);
        if (!visit.began(answer.state())) {
            return Mono.error(OpenIdProblems.begunElsewhere());
        }
        return store.take(cookie, clock.instant())
                .switchIfEmpty(Mono.error(OpenIdProblems::over))
                .flatMap(errand ->
                        providers.document().flatMap(document -> answered(document, visit, errand, answer, arrival)));
    }

    private Mono<OpenIdResult> answered(
            ProviderDocument document, Visit visit, Errand errand, ProviderAnswer answer, Arrival arrival) {
        boolean unnamed = answer.issuer().isEmpty() && !document.namesItself();
        if (!unnamed && !answer.issuer().equals(provider.issuer())) {
            return Mono.error(problems.untrusted("it is from another provider"));
        }
        if (!answer.error().isEmpty()) {
            return Mono.error(problems.refusedThere(answer));
        }
        if (answer.code().isEmpty()) {
            return Mono.error(problems.untrusted("it has no code"));
        }
        return providers
                .redeem(document, answer.code(), visit.verifier(), redirect())
                .switchIfEmpty(Mono.error(OpenIdProblems::over))
                .flatMap(tokens -> checked(document, tokens, visit, errand).flatMap(token -> switch (errand.purpose()) {
                    case SIGN_IN -> enter(document, tokens, token, errand.next(), arrival.visitor());
                    case LINK -> link(token, errand, arrival);
                    case PROVE -> prove(token, errand, arrival);
                }));
    }

    private Mono<IdToken> checked(ProviderDocument document, Tokens tokens, Visit visit, Errand errand) {
        Instant anew = errand.purpose() == Purpose.PROVE ? errand.begun() : null;
        Expected expected = new Expected(provider.issuer(), provider.clientId(), visit.nonce(), anew);
        return providers
                .keys(document)
                .map(keys -> check(tokens, keys, expected))
                .flatMap(result -> result instanceof IdTokenResult.UnknownKey
                        ? providers.newKeys(document).map(keys -> check(tokens, keys, expected))
                        : Mono.just(result))
                .flatMap(result -> switch (result) {
                    case IdTokenResult.Good good -> Mono.just(good.token());
                    case IdTokenResult.UnknownKey unknown ->
                        Mono.error(distrusted("it is signed by a key that is not the provider's"));
                    case IdTokenResult.Refused refused -> Mono.error(distrusted(refused.why()));
                    case IdTokenResult.NotAnew notAnew -> Mono.error(problems.notAnew());
                });
    }

    /** The operator of the service has to know: a stranger cannot make the provider sign what is wrong. */
    private ProblemException distrusted(String why) {
        LOG.warn("An ID token of the provider {} is refused: {}.", provider.issuer(), why);
        return problems.untrusted(why);
    }

    private IdTokenResult check(Tokens tokens, JWKSet keys, Expected expected) {
        return IdTokenCheck.check(tokens.id(), keys, expected, clock.instant());
    }

    private Mono<OpenIdResult> enter(
            ProviderDocument document, Tokens tokens, IdToken token, String next, Visitor visitor) {
        return store.account(provider.issuer(), token.subject())
                .switchIfEmpty(Mono.defer(() -> newAccount(document, tokens, token, next, visitor)))
                .flatMap(account -> entries.enter(account, BY, visitor))
                .map(entry -> new OpenIdResult.Known(entry, next));
    }

    private Mono<AccountId> newAccount(
            ProviderDocument document, Tokens tokens, IdToken token, String next, Visitor visitor) {
        return signUp.open(next)
                .flatMap(open -> open ? profile(document, tokens, token) : Mono.error(problems.notOpen(signUp.mode())))
                .flatMap(profile -> newAccount(token.subject(), profile, next, visitor));
    }

    private Mono<Profile> profile(ProviderDocument document, Tokens tokens, IdToken token) {
        return token.profile().email().isBlank()
                ? providers.profile(document, tokens, token.subject()).map(token.profile()::or)
                : Mono.just(token.profile());
    }

    /** The account and its link are there together or not at all. */
    private Mono<AccountId> newAccount(String subject, Profile profile, String next, Visitor visitor) {
        return signUp.vouched(NewAccount.vouched(profile.email(), profile.name()), profile.verified(), next, visitor)
                .flatMap(result -> switch (result) {
                    case VouchedResult.Made made ->
                        store.link(made.account(), provider.issuer(), subject, clock.instant())
                                .flatMap(linked -> linked
                                        ? noted(made.id(), "account.link-identity")
                                                .thenReturn(made.account())
                                        : Mono.error(OpenIdProblems.over())); // a twin of this sign-in was faster
                    case VouchedResult.Taken taken -> Mono.error(problems.taken());
                    case VouchedResult.NotOpen notOpen -> Mono.error(problems.notOpen(notOpen.mode()));
                    case VouchedResult.Throttled throttled -> Mono.error(OpenIdProblems.tooMany());
                    case VouchedResult.NoAddress none -> Mono.error(problems.noAddress());
                })
                .as(transaction::transactional);
    }

    private Mono<OpenIdResult> link(IdToken token, Errand errand, Arrival arrival) {
        return sender(errand, arrival)
                .flatMap(person -> store.link(person.account(), provider.issuer(), token.subject(), clock.instant())
                        .flatMap(linked -> linked
                                ? noted(person.id(), "account.link-identity")
                                : isOwn(token, person.account())
                                        .flatMap(own -> own ? Mono.empty() : Mono.error(problems.linkedElsewhere())))
                        .as(transaction::transactional))
                .thenReturn(new OpenIdResult.Linked());
    }

    private Mono<OpenIdResult> prove(IdToken token, Errand errand, Arrival arrival) {
        Secret session = arrival.session();
        return sender(errand, arrival)
                .flatMap(person -> isOwn(token, person.account())
                        .flatMap(own -> own && session != null
                                ? checks.proven(person, session)
                                : Mono.error(problems.somebodyElse())))
                .thenReturn(new OpenIdResult.Proven(errand.next()));
    }

    /** Who sent the browser, if that is still who is signed in. */
    private static Mono<Caller.Person> sender(Errand errand, Arrival arrival) {
        return arrival.caller() instanceof Caller.Person person
                        && person.account().equals(errand.account())
                ? Mono.just(person)
                : Mono.error(OpenIdProblems.signedOut());
    }

    private Mono<Boolean> isOwn(IdToken token, AccountId account) {
        return store.account(provider.issuer(), token.subject())
                .map(account::equals)
                .defaultIfEmpty(false);
    }

    /** False: there was no link, or it is the only way in. */
    Mono<Boolean> unlink(Caller.Person person) {
        return store.unlink(person.account(), provider.issuer())
                .filter(unlinked -> unlinked)
                .flatMap(unlinked ->
                        noted(person.id(), "account.unlink-identity").thenReturn(true))
                .defaultIfEmpty(false)
                .as(transaction::transactional);
    }

    private Mono<Void> noted(String account, String action) {
        return audit.append(new AuditEvent(null, account, action, account, Map.of("provider", provider.issuer())));
    }
}
