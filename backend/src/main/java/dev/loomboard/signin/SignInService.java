package dev.loomboard.signin;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.AccountLinkStore;
import dev.loomboard.credential.AccountStore;
import dev.loomboard.credential.AccountStore.Login;
import dev.loomboard.credential.NewAccount;
import dev.loomboard.credential.PasswordCheckService;
import dev.loomboard.credential.PasswordService;
import dev.loomboard.credential.Proof;
import dev.loomboard.credential.SignInThrottle;
import dev.loomboard.credential.SignInThrottle.Attempt;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.session.DeviceCookie;
import dev.loomboard.session.NewSession;
import dev.loomboard.session.SessionStore;
import dev.loomboard.session.Visitor;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/**
 * Proves people by their passwords, and lets them out; {@link EntryService} lets them in. Passwords are
 * hashed outside of transactions, so that guessing cannot hold the connections.
 */
@Service
public class SignInService {

    private final AccountStore accounts;
    private final SessionStore sessions;
    private final AccountLinkStore links;
    private final PasswordService passwords;
    private final PasswordCheckService checks;
    private final EntryService entries;
    private final AuditStore audit;
    private final SignInThrottle throttle;
    private final TransactionalOperator transaction;

    SignInService(
            AccountStore accounts,
            SessionStore sessions,
            AccountLinkStore links,
            PasswordService passwords,
            PasswordCheckService checks,
            EntryService entries,
            AuditStore audit,
            SignInThrottle throttle,
            TransactionalOperator transaction) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.links = links;
        this.passwords = passwords;
        this.checks = checks;
        this.entries = entries;
        this.audit = audit;
        this.throttle = throttle;
        this.transaction = transaction;
    }

    Mono<SignInResult> signIn(String email, String password, Visitor visitor) {
        String name = NewAccount.normalised(email);
        return accounts.byEmail(name)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(login -> {
                    String device = login.flatMap(known -> DeviceCookie.device(known, visitor.cookies()))
                            .orElse(null);
                    return attempt(login, password, new Attempt(name, visitor.address(), device), visitor);
                });
    }

    private Mono<SignInResult> attempt(Optional<Login> login, String password, Attempt attempt, Visitor visitor) {
        if (!throttle.allows(attempt)) {
            return Mono.just(new SignInResult.Throttled());
        }
        // Whether there is such an account must not show in the time taken.
        return login.map(known -> passwords.matches(password, known.passwordHash()))
                .orElseGet(() -> passwords.matchesNobody(password))
                .flatMap(
                        matches -> matches ? welcome(login.orElseThrow(), attempt, visitor) : turnAway(login, attempt));
    }

    Mono<Void> signOut(Caller.Person person, @Nullable Secret session) {
        Mono<Void> end = session == null ? Mono.empty() : sessions.end(session);
        return end.then(note(person.id(), "account.sign-out")).as(transaction::transactional);
    }

    /** Changes or sets the password, ends every session and link, and begins a session; refused when the proof is wrong. */
    public Mono<SignInResult> changePassword(Caller.Person person, Proof proof, String next, Visitor visitor) {
        return checks.check(person, proof, "account.change-password-failed").flatMap(answer -> switch (answer) {
            case RIGHT -> replacePassword(person, next, visitor).map(SignInResult.SignedIn::new);
            case WRONG -> Mono.just(new SignInResult.Refused());
            case THROTTLED -> Mono.just(new SignInResult.Throttled());
        });
    }

    private Mono<NewSession> replacePassword(Caller.Person person, String next, Visitor visitor) {
        return passwords
                .hash(next)
                .flatMap(hash -> accounts.byId(person.account())
                        .flatMap(login -> replacePassword(login, hash, visitor))
                        .as(transaction::transactional));
    }

    private Mono<NewSession> replacePassword(Login login, String hash, Visitor visitor) {
        return accounts.changePassword(login.account(), hash)
                .then(sessions.endAll(login.account()))
                .then(links.removeAll(login.account()))
                .then(note(login.id(), "account.change-password"))
                .then(entries.begin(login.withPasswordHash(hash), visitor));
    }

    private Mono<SignInResult> welcome(Login login, Attempt attempt, Visitor visitor) {
        throttle.succeeded(attempt);
        return entries.enter(login, "password", visitor);
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
