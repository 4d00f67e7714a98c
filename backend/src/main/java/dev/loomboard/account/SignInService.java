package dev.loomboard.account;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.loomboard.account.AccountStore.Login;
import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
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

    /** @param address where the attempt came from */
    Mono<SignInResult> signIn(String email, String password, String address) {
        String name = NewAccount.normalised(email);
        if (!throttle.allows(name, address)) {
            return Mono.just(new SignInResult.Throttled());
        }
        return accounts.byEmail(name)
                .filterWhen(login -> passwords.matches(password, login.passwordHash()))
                .flatMap(login -> welcome(login, name, address))
                .switchIfEmpty(Mono.defer(() -> turnAway(name, password, address)));
    }

    /** A session for somebody who has just proven who they are by other means. */
    Mono<Secret> begin(Login login) {
        Secret session = Secret.random("lbs");
        Instant now = clock.instant();
        return sessions.endExpired(now)
                .then(sessions.begin(session, login.account(), now, now.plus(SESSION_LIFE)))
                .thenReturn(session);
    }

    Mono<Void> signOut(Caller.Person person, @Nullable Secret session) {
        Mono<Void> end = session == null ? Mono.empty() : sessions.end(session);
        return end.then(note(person.id(), "account.sign-out")).as(transaction::transactional);
    }

    /** Changes the password and ends every session; empty when the current one is wrong. */
    Mono<Secret> changePassword(Caller.Person person, String current, String next) {
        return accounts.byId(person.account())
                .filterWhen(login -> passwords.matches(current, login.passwordHash()))
                .flatMap(login -> passwords.hash(next).flatMap(hash -> replacePassword(login, hash)));
    }

    private Mono<Secret> replacePassword(Login login, String hash) {
        return accounts.changePassword(login.account(), hash)
                .then(sessions.endAll(login.account()))
                .then(note(login.id(), "account.change-password"))
                .then(begin(login))
                .as(transaction::transactional);
    }

    private Mono<SignInResult> welcome(Login login, String name, String address) {
        throttle.succeeded(name, address);
        return note(login.id(), "account.sign-in")
                .then(begin(login))
                .as(transaction::transactional)
                .map(SignInResult.SignedIn::new);
    }

    private Mono<SignInResult> turnAway(String name, String password, String address) {
        throttle.failed(name, address);
        return accounts.byEmail(name)
                .map(login -> true)
                .switchIfEmpty(passwords.matchesNobody(password))
                .thenReturn(new SignInResult.Refused());
    }

    private Mono<Void> note(String account, String action) {
        return audit.append(new AuditEvent(null, account, action, account, Map.of()));
    }
}
