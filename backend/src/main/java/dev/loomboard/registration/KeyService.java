package dev.loomboard.registration;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.Secret;
import dev.loomboard.machine.MachineView;
import dev.loomboard.web.Problem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** New keys for a machine that stays the same, so that its histories go on. */
@Service
class KeyService {

    /** A key's life. Agents renew theirs well before; a machine that was off for longer gets a new key on its page. */
    static final Duration LIFE = Duration.ofDays(365);

    /** For how long the key before is good as well: for what is under way, and until its agent has read the new one. */
    static final Duration OVERLAP = Duration.ofHours(1);

    private final KeyStore keys;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    KeyService(KeyStore keys, AuditStore audit, TransactionalOperator transaction, Clock clock) {
        this.keys = keys;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** @param key shown once, here */
    record NewKey(Secret key, KeyState state) {}

    /** Gives the key of a machine that has just registered its end. */
    Mono<Instant> begins(MachineId machine) {
        Instant end = clock.instant().plus(LIFE);
        return keys.expires(machine, end).thenReturn(end);
    }

    /**
     * The agent has made itself a key, and keeps it already: an answer that is lost costs nothing, since the same is
     * said again. Only the present key may name the next. The one before could be what somebody stole.
     *
     * @param shown what the agent proved itself by
     */
    Mono<KeyState> rotate(Caller.Agent agent, Secret shown, Secret next) {
        Instant now = clock.instant();
        Mono<KeyState> replaced = keys.replace(agent.machine(), shown, next, now.plus(LIFE), now.plus(OVERLAP))
                .flatMap(state -> audit.append(
                                new AuditEvent(agent.workspace(), agent.id(), "machine.key", agent.id(), Map.of()))
                        .thenReturn(state));
        return keys.present(agent.machine(), next)
                .switchIfEmpty(replaced)
                .as(transaction::transactional)
                .onErrorMap(
                        DuplicateKeyException.class,
                        taken -> Problem.invalid("agentKey", "must be new: make another")
                                .asException())
                .switchIfEmpty(Mono.error(Problem.conflict(
                                "key-superseded",
                                "This key was replaced by another already. If that was not you, make a new key on the"
                                        + " machine's page.")
                        .asException()));
    }

    /** An owner makes the key; empty when the machine's was revoked. */
    Mono<NewKey> replace(MachineView.Summary machine, String by) {
        Secret next = Secret.random("lba");
        Instant now = clock.instant();
        return keys.replace(machine.key(), next, now.plus(LIFE), now.plus(OVERLAP))
                .flatMap(state -> audit.append(
                                new AuditEvent(machine.workspaceKey(), by, "machine.key", machine.id(), Map.of()))
                        .thenReturn(new NewKey(next, state)))
                .as(transaction::transactional);
    }
}
