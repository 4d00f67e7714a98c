package dev.loomboard.credential;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.SignInThrottle.Attempt;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/**
 * Asks who is signed in for the password, before what nobody may do who only found the browser open. Who has no password is asked
 * by the provider again; that holds for a few minutes, in the session that asked.
 */
@Service
public class PasswordCheckService {

    static final Duration PROVEN_FOR = Duration.ofMinutes(10);

    private final AccountStore accounts;
    private final ProofStore proofs;
    private final PasswordService passwords;
    private final SignInProvider provider;
    private final AuditStore audit;
    private final SignInThrottle throttle;
    private final Clock clock;

    PasswordCheckService(
            AccountStore accounts,
            ProofStore proofs,
            PasswordService passwords,
            SignInProvider provider,
            AuditStore audit,
            SignInThrottle throttle,
            Clock clock) {
        this.accounts = accounts;
        this.proofs = proofs;
        this.passwords = passwords;
        this.provider = provider;
        this.audit = audit;
        this.throttle = throttle;
        this.clock = clock;
    }

    /** What came of it. */
    public enum Answer {
        RIGHT,
        /** Or nothing was proven. */
        WRONG,
        /** Too many were wrong of late. */
        THROTTLED
    }

    /**
     * What a form has to ask for.
     *
     * @param session the one that asks; null: there is none
     */
    public Mono<ProofAsked> asked(Caller.Person person, @Nullable Secret session) {
        return way(person, session).map(way -> new ProofAsked(way, provider.name()));
    }

    /** @param failure what the audit log calls a wrong one */
    public Mono<Answer> check(Caller.Person person, Proof proof, String failure) {
        return way(person, proof.session()).flatMap(way -> switch (way) {
            case PASSWORD -> checkPassword(person, proof.password(), failure);
            case PROVIDER -> Mono.just(Answer.WRONG);
            case NOTHING -> Mono.just(Answer.RIGHT);
        });
    }

    /** Notes that the session's person has just signed in again at the provider. */
    public Mono<Void> proven(Caller.Person person, Secret session) {
        return proofs.proven(person.account(), session, clock.instant());
    }

    private Mono<ProofAsked.Way> way(Caller.Person person, @Nullable Secret session) {
        Instant since = clock.instant().minus(PROVEN_FOR);
        return proofs.wayToProve(person.account(), session, since).defaultIfEmpty(ProofAsked.Way.PASSWORD);
    }

    private Mono<Answer> checkPassword(Caller.Person person, String password, String failure) {
        Attempt attempt = Attempt.inSession(person.id());
        if (!throttle.allows(attempt)) {
            return Mono.just(Answer.THROTTLED);
        }
        return accounts.byId(person.account())
                .flatMap(login -> passwords.matches(password, login.passwordHash()))
                .defaultIfEmpty(false)
                .flatMap(right -> right ? Mono.just(right(attempt)) : wrong(person, attempt, failure));
    }

    private Answer right(Attempt attempt) {
        throttle.succeeded(attempt);
        return Answer.RIGHT;
    }

    private Mono<Answer> wrong(Caller.Person person, Attempt attempt, String failure) {
        Mono<Void> noted = throttle.failed(attempt)
                ? audit.append(new AuditEvent(null, person.id(), failure, person.id(), Map.of()))
                : Mono.empty();
        return noted.thenReturn(Answer.WRONG);
    }
}
