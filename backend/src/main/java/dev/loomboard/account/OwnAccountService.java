package dev.loomboard.account;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.SignInProvider;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.session.SessionLimits;
import dev.loomboard.session.SessionStore;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** A person's own account and its sessions. */
@Service
class OwnAccountService {

    private final OwnAccountStore accounts;
    private final SessionStore sessions;
    private final SessionLimits limits;
    private final SignInProvider provider;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    OwnAccountService(
            OwnAccountStore accounts,
            SessionStore sessions,
            SessionLimits limits,
            SignInProvider provider,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.limits = limits;
        this.provider = provider;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** @param session the one that asks */
    Mono<OwnAccount> of(Caller.Person person, Secret session) {
        Instant now = clock.instant();
        return sessions.of(person.account(), session, now, now.minus(limits.idle()))
                .flatMap(found -> accounts.find(person.account(), found, provider.issuer()));
    }

    /** False: the person has no such session. */
    Mono<Boolean> endSession(Caller.Person person, String id) {
        return sessions.end(person.account(), id)
                .filter(ended -> ended)
                .flatMap(ended -> note(person, "session.revoke", id).thenReturn(true))
                .defaultIfEmpty(false)
                .as(transaction::transactional);
    }

    Mono<Void> endOtherSessions(Caller.Person person, Secret session) {
        return sessions.endOthers(person.account(), session)
                .then(note(person, "session.revoke-others", person.id()))
                .as(transaction::transactional);
    }

    private Mono<Void> note(Caller.Person person, String action, String subject) {
        return audit.append(new AuditEvent(null, person.id(), action, subject, Map.of()));
    }
}
