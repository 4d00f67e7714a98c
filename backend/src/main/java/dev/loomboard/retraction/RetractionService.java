package dev.loomboard.retraction;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.recompute.RecomputeService;
import dev.loomboard.retracted.Version;
import java.time.Clock;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/**
 * Retracts and withdraws. Every page that shows a result reads retractions, so only ranks are computed again: those of the boards on
 * which its results stand, in the same transaction.
 */
@Service
class RetractionService {

    private final RetractionStore store;
    private final RecomputeService recompute;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    RetractionService(
            RetractionStore store,
            RecomputeService recompute,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.store = store;
        this.recompute = recompute;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    Mono<RetractionResult> retract(Version version, String reason, Caller.Person person) {
        return store.lock()
                .then(store.subject(version, person))
                .flatMap(subject -> may(person, subject)
                        ? store.add(subject, reason, person, clock.instant())
                                .flatMap(id -> done(person, "retraction.retract", id, subject.of(), reason))
                                .defaultIfEmpty(RetractionResult.TWICE)
                        : Mono.just(RetractionResult.FORBIDDEN))
                .defaultIfEmpty(RetractionResult.UNKNOWN)
                .as(transaction::transactional);
    }

    /** An administrator whatever he sees, an owner runs of his own: a result may be taken back, never changed. */
    private static boolean may(Caller.Person person, RetractionStore.Subject subject) {
        WorkspaceId workspace = subject.workspace();
        return person.administrator()
                || subject.of().kind() == Version.Kind.RUN
                        && workspace != null
                        && person.may(Right.RETRACT_RUN, workspace);
    }

    /** An administrator's: what an owner took back does not come and go. */
    Mono<RetractionResult> withdraw(String id, String why, Caller.Person person) {
        return store.lock()
                .then(store.withdraw(id, why, person, clock.instant()))
                .flatMap(version -> done(person, "retraction.withdraw", id, version, why))
                .switchIfEmpty(
                        store.exists(id).map(exists -> exists ? RetractionResult.TWICE : RetractionResult.UNKNOWN))
                .as(transaction::transactional);
    }

    private Mono<RetractionResult> done(Caller.Person person, String action, String id, Version of, String reason) {
        Map<String, String> detail =
                Map.of("kind", of.kind().wire(), "name", of.name(), "version", of.version(), "reason", reason);
        return audit.append(new AuditEvent(null, person.actor(), action, id, detail))
                .then(recompute.retractionChanged(of))
                .thenReturn(RetractionResult.DONE);
    }
}
