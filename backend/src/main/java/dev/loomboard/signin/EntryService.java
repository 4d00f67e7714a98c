package dev.loomboard.signin;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.AccountLinkStore;
import dev.loomboard.credential.AccountLinkStore.Purpose;
import dev.loomboard.credential.AccountStore;
import dev.loomboard.credential.AccountStore.Login;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Secret;
import dev.loomboard.session.DeviceCookie;
import dev.loomboard.session.Entrance;
import dev.loomboard.session.NewSession;
import dev.loomboard.session.SessionLimits;
import dev.loomboard.session.SessionStore;
import dev.loomboard.session.Visitor;
import dev.loomboard.twostep.TwoStepService;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/**
 * What follows once it is known who asks, by whatever proved it: the second step where the account has one, the session and
 * the audit log. Each entry makes a new secret:
 * one that was planted before is worth nothing after.
 */
@Service
public class EntryService {

    private final AccountStore accounts;
    private final SessionStore sessions;
    private final AccountLinkStore links;
    private final TwoStepService twoStep;
    private final AuditStore audit;
    private final SessionLimits limits;
    private final TransactionalOperator transaction;
    private final Clock clock;

    EntryService(
            AccountStore accounts,
            SessionStore sessions,
            AccountLinkStore links,
            TwoStepService twoStep,
            AuditStore audit,
            SessionLimits limits,
            TransactionalOperator transaction,
            Clock clock) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.links = links;
        this.twoStep = twoStep;
        this.audit = audit;
        this.limits = limits;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * For an account whose person somebody else has vouched for; refused when the account may not sign in.
     *
     * @param by what proved it, for the audit log, such as {@code password} or a provider's name
     */
    public Mono<SignInResult> enter(AccountId account, String by, Visitor visitor) {
        return accounts.byId(account)
                .flatMap(login -> enter(login, by, visitor))
                .defaultIfEmpty(new SignInResult.Refused());
    }

    Mono<SignInResult> enter(Login login, String by, Visitor visitor) {
        return twoStep.asksFor(login.account()).flatMap(asks -> asks ? askForCode(login) : letIn(login, by, visitor));
    }

    private Mono<SignInResult> askForCode(Login login) {
        Secret waiting = Secret.random("lbc");
        Instant now = clock.instant();
        return links.removeExpired(now)
                .then(links.add(waiting, login.account(), Purpose.SECOND_STEP, now, now.plus(Entrance.STEP_LIFE)))
                .thenReturn(new SignInResult.SecondStep(waiting));
    }

    /** Empty when nobody waits by this secret (any more). */
    Mono<SignInResult> secondStep(Secret waiting, String code, Visitor visitor) {
        return links.find(waiting, clock.instant())
                .filter(link -> link.purpose() == Purpose.SECOND_STEP)
                .flatMap(link -> accounts.byId(link.account()))
                .flatMap(login -> twoStep.accepts(login.account(), login.id(), code)
                        .flatMap(answer -> switch (answer) {
                            case RIGHT -> stepped(waiting, login, visitor);
                            case THROTTLED -> Mono.just(new SignInResult.Throttled());
                            case WRONG_CODE, WRONG_PASSWORD -> Mono.just(new SignInResult.Refused());
                        }));
    }

    private Mono<SignInResult> stepped(Secret waiting, Login login, Visitor visitor) {
        return links.take(waiting)
                .filter(taken -> taken)
                .flatMap(taken -> letIn(login, "second step", visitor))
                .as(transaction::transactional);
    }

    private Mono<SignInResult> letIn(Login login, String by, Visitor visitor) {
        return audit.append(new AuditEvent(null, login.id(), "account.sign-in", login.id(), Map.of("by", by)))
                .then(begin(login, visitor))
                .as(transaction::transactional)
                .map(SignInResult.SignedIn::new);
    }

    /** A session for somebody of whom nothing more is asked, such as who has just made the account. */
    public Mono<NewSession> begin(Login login, Visitor visitor) {
        Secret session = Secret.random("lbs");
        Instant now = clock.instant();
        return sessions.endExpired(now, now.minus(limits.idle()))
                .then(sessions.begin(session, login.account(), visitor, now, now.plus(limits.life())))
                .thenReturn(new NewSession(session, limits.life(), DeviceCookie.issue(login)));
    }
}
