package dev.loomboard.twostep;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.PasswordCheckService;
import dev.loomboard.credential.Proof;
import dev.loomboard.credential.ProofAsked;
import dev.loomboard.credential.SignInThrottle;
import dev.loomboard.credential.SignInThrottle.Attempt;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.twostep.TotpStore.Shared;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** The code of an authenticator as the second step of signing in: on, off, and whether a code is right. */
@Service
public class TwoStepService {

    private final TotpStore totp;
    private final PasswordCheckService passwords;
    private final SignInThrottle throttle;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    TwoStepService(
            TotpStore totp,
            PasswordCheckService passwords,
            SignInThrottle throttle,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.totp = totp;
        this.passwords = passwords;
        this.throttle = throttle;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** What came of asking for a code, or for a code and the password. */
    public enum Answer {
        RIGHT,
        WRONG_PASSWORD,
        WRONG_CODE,
        THROTTLED
    }

    /** @param recoveryCodes shown this once; empty unless the answer is {@link Answer#RIGHT} */
    record Confirmed(Answer answer, List<String> recoveryCodes) {
        Confirmed {
            recoveryCodes = List.copyOf(recoveryCodes);
        }
    }

    /**
     * What a form has to ask for.
     *
     * @param session the one that asks; null: there is none
     */
    Mono<ProofAsked> asked(Caller.Person person, @Nullable Secret session) {
        return passwords.asked(person, session);
    }

    Mono<Shared> of(Caller.Person person) {
        return totp.find(person.account());
    }

    public Mono<Boolean> asksFor(AccountId account) {
        return totp.find(account).map(Shared::confirmed).defaultIfEmpty(false);
    }

    /** Makes a secret, which is not asked for until a code of it was right. */
    Mono<Answer> begin(Caller.Person person, Proof proof) {
        return proven(
                person,
                proof,
                () -> totp.begin(person.account(), Totp.newSecret(), clock.instant())
                        .thenReturn(Answer.RIGHT));
    }

    /** Turns it on, if the code is right. */
    Mono<Confirmed> confirm(Caller.Person person, String code) {
        List<String> codes = RecoveryCodes.fresh();
        return throttled(
                        person.id(),
                        () -> totp.find(person.account())
                                .filter(shared -> !shared.confirmed())
                                .filterWhen(shared -> usesTotp(person.account(), shared, code))
                                .flatMap(shared -> confirm(person, codes).thenReturn(true))
                                .defaultIfEmpty(false)
                                .as(transaction::transactional))
                .map(answer -> new Confirmed(answer, answer == Answer.RIGHT ? codes : List.of()));
    }

    private Mono<Void> confirm(Caller.Person person, List<String> codes) {
        return totp.confirm(
                        person.account(),
                        clock.instant(),
                        codes.stream().map(RecoveryCodes::hash).toList())
                .then(note(person.id(), "account.enable-two-step"));
    }

    /** Turns it off, by the password and a code. */
    Mono<Answer> disable(Caller.Person person, Proof proof, String code) {
        return proven(
                person,
                proof,
                () -> accepts(person.account(), person.id(), code)
                        .flatMap(answer -> answer == Answer.RIGHT
                                ? totp.remove(person.account())
                                        .then(note(person.id(), "account.disable-two-step"))
                                        .as(transaction::transactional)
                                        .thenReturn(answer)
                                : Mono.just(answer)));
    }

    /**
     * Whether the code is good, of the authenticator or on paper; it is then used.
     *
     * @param id the account's external id
     */
    public Mono<Answer> accepts(AccountId account, String id, String code) {
        return throttled(
                id,
                () -> totp.find(account)
                        .filter(Shared::confirmed)
                        .flatMap(shared -> usesTotp(account, shared, code))
                        .filter(used -> used)
                        .switchIfEmpty(Mono.defer(
                                () -> totp.useRecoveryCode(account, RecoveryCodes.hash(code), clock.instant()))));
    }

    private Mono<Boolean> usesTotp(AccountId account, Shared shared, String code) {
        OptionalLong step = Totp.step(shared.secret(), code, clock.instant(), shared.used());
        return step.isPresent() ? totp.use(account, step.getAsLong()) : Mono.just(false);
    }

    private Mono<Answer> throttled(String id, Supplier<Mono<Boolean>> isRight) {
        Attempt attempt = Attempt.inSession("code of " + id);
        if (!throttle.allows(attempt)) {
            return Mono.just(Answer.THROTTLED);
        }
        return isRight.get().flatMap(right -> right ? Mono.just(right(attempt)) : wrong(id, attempt));
    }

    private Answer right(Attempt attempt) {
        throttle.succeeded(attempt);
        return Answer.RIGHT;
    }

    private Mono<Answer> wrong(String id, Attempt attempt) {
        Mono<Void> noted = throttle.failed(attempt) ? note(id, "account.code-failed") : Mono.empty();
        return noted.thenReturn(Answer.WRONG_CODE);
    }

    private Mono<Answer> proven(Caller.Person person, Proof proof, Supplier<Mono<Answer>> then) {
        return passwords.check(person, proof, "account.two-step-failed").flatMap(answer -> switch (answer) {
            case RIGHT -> then.get();
            case WRONG -> Mono.just(Answer.WRONG_PASSWORD);
            case THROTTLED -> Mono.just(Answer.THROTTLED);
        });
    }

    private Mono<Void> note(String id, String action) {
        return audit.append(new AuditEvent(null, id, action, id, Map.of()));
    }
}
