package dev.loomboard.token;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Makes and revokes API tokens, with the audit log. */
@Service
class ApiTokenService {

    private final ApiTokenStore tokens;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    ApiTokenService(ApiTokenStore tokens, AuditStore audit, TransactionalOperator transaction, Clock clock) {
        this.tokens = tokens;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** The secret, which nobody can be told again. */
    Mono<Secret> create(NewApiToken token, Caller.Person person) {
        Secret secret = Secret.random("lbt");
        Instant now = clock.instant();
        return tokens.add(token, secret, person, now)
                .flatMap(id -> audit.append(new AuditEvent(
                        token.workspace().key(),
                        person.actor(),
                        "token.create",
                        id,
                        Map.of(
                                "name",
                                token.name(),
                                "expires",
                                now.plus(token.life()).toString()))))
                .thenReturn(secret)
                .as(transaction::transactional);
    }

    /** False: the person has no such token, or it was revoked before. */
    Mono<Boolean> revoke(String id, Caller.Person person) {
        return tokens.revoke(id, person, clock.instant())
                .flatMap(workspace -> audit.append(
                                new AuditEvent(workspace, person.actor(), "token.revoke", id, Map.of()))
                        .thenReturn(true))
                .defaultIfEmpty(false)
                .as(transaction::transactional);
    }
}
