package dev.loomboard.account;

import dev.loomboard.account.SignInThrottle.Attempt;
import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.kernel.Caller;
import java.util.Map;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Asks who is signed in for the password, before what nobody may do who only found the browser open. */
@Service
class PasswordCheckService {

    private final AccountStore accounts;
    private final PasswordService passwords;
    private final AuditStore audit;
    private final SignInThrottle throttle;

    PasswordCheckService(AccountStore accounts, PasswordService passwords, AuditStore audit, SignInThrottle throttle) {
        this.accounts = accounts;
        this.passwords = passwords;
        this.audit = audit;
        this.throttle = throttle;
    }

    enum Answer {
        RIGHT,
        WRONG,
        /** Too many were wrong of late. */
        THROTTLED
    }

    /** @param failure what the audit log calls a wrong one */
    Mono<Answer> check(Caller.Person person, String password, String failure) {
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
