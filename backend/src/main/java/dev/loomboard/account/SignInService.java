package dev.loomboard.account;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.loomboard.account.AccountStore.Login;
import dev.loomboard.account.SignInResult.Entry;
import dev.loomboard.account.SignInThrottle.Attempt;
import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/**
 * Begins and ends sessions. Each sign-in makes a new secret: one that was planted before is worth nothing after.
 * Passwords are hashed outside of transactions, so that guessing cannot hold the connections.
 */
@Service
class SignInService {

    static final Duration SESSION_LIFE = Duration.ofDays(14);

    private final AccountStore accounts;
    private final SessionStore sessions;
    private final PasswordService passwords;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;
    private final SignInThrottle throttle = new SignInThrottle(Ticker.systemTicker());

    SignInService(
            AccountStore accounts,
            SessionStore sessions,
            PasswordService passwords,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.passwords = passwords;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * @param address where the attempt came from
     * @param cookies of the browser, by name
     */
    Mono<SignInResult> signIn(String email, String password, String address, Map<String, String> cookies) {
        String name = NewAccount.normalised(email);
        return accounts.byEmail(name)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(login -> {
                    String device = login.flatMap(known -> DeviceCookie.device(known, cookies))
                            .orElse(null);
                    return attempt(login, password, new Attempt(name, address, device));
                });
    }

    private Mono<SignInResult> attempt(Optional<Login> login, String password, Attempt attempt) {
        if (!throttle.allows(attempt)) {
            return Mono.just(new SignInResult.Throttled());
        }
        // Whether there is such an account must not show in the time taken.
        return login.map(known -> passwords.matches(password, known.passwordHash()))
                .orElseGet(() -> passwords.matchesNobody(password))
                .flatMap(matches -> matches ? welcome(login.orElseThrow(), attempt) : turnAway(login, attempt));
    }

    /** A session for somebody who has just proven who they are by other means. */
    Mono<Entry> begin(Login login) {
        Secret session = Secret.random("lbs");
        Instant now = clock.instant();
        return sessions.endExpired(now)
                .then(sessions.begin(session, login.account(), now, now.plus(SESSION_LIFE)))
                .thenReturn(new Entry(session, DeviceCookie.issue(login)));
    }

    Mono<Void> signOut(Caller.Person person, @Nullable Secret session) {
        Mono<Void> end = session == null ? Mono.empty() : sessions.end(session);
        return end.then(note(person.id(), "account.sign-out")).as(transaction::transactional);
    }

    /** Changes the password, ends every session and begins one; refused when the current one is wrong. */
    Mono<SignInResult> changePassword(Caller.Person person, String current, String next) {
        Attempt attempt = Attempt.inSession(person.id());
        if (!throttle.allows(attempt)) {
            return Mono.just(new SignInResult.Throttled());
        }
        return accounts.byId(person.account())
                .filterWhen(login -> passwords.matches(current, login.passwordHash()))
                .flatMap(login -> passwords.hash(next).flatMap(hash -> replacePassword(login, hash)))
                .<SignInResult>map(SignInResult.SignedIn::new)
                .doOnNext(changed -> throttle.succeeded(attempt))
                .switchIfEmpty(Mono.defer(() -> refuseChange(person, attempt)));
    }

    private Mono<SignInResult> refuseChange(Caller.Person person, Attempt attempt) {
        Mono<Void> noted =
                throttle.failed(attempt) ? note(person.id(), "account.change-password-failed") : Mono.empty();
        return noted.thenReturn(new SignInResult.Refused());
    }

    private Mono<Entry> replacePassword(Login login, String hash) {
        return accounts.changePassword(login.account(), hash)
                .then(sessions.endAll(login.account()))
                .then(note(login.id(), "account.change-password"))
                .then(begin(login.withPasswordHash(hash)))
                .as(transaction::transactional);
    }

    private Mono<SignInResult> welcome(Login login, Attempt attempt) {
        throttle.succeeded(attempt);
        return note(login.id(), "account.sign-in")
                .then(begin(login))
                .as(transaction::transactional)
                .map(SignInResult.SignedIn::new);
    }

    /** What was typed is not kept: people type passwords into the field of the email. */
    private Mono<SignInResult> turnAway(Optional<Login> login, Attempt attempt) {
        AuditEvent failure = new AuditEvent(
                null,
                "anonymous",
                "account.sign-in-failed",
                login.map(Login::id).orElse("unknown"),
                Map.of("address", attempt.address()));
        Mono<Void> noted = throttle.failed(attempt) ? audit.append(failure) : Mono.empty();
        return noted.thenReturn(new SignInResult.Refused());
    }

    private Mono<Void> note(String account, String action) {
        return audit.append(new AuditEvent(null, account, action, account, Map.of()));
    }
}
