package dev.loomboard.hiding;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.hiding.HidingStore.Subject;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.visibility.CoverService;
import java.time.Clock;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Hides and shows again, with visibility, ranks and the audit log. Whether the caller is an administrator is asked before. */
@Service
class HidingService {

    private final HidingStore store;
    private final CoverService cover;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    HidingService(
            HidingStore store, CoverService cover, AuditStore audit, TransactionalOperator transaction, Clock clock) {
        this.store = store;
        this.cover = cover;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** @param id external id, or slug of a workspace */
    Mono<HidingResult> hide(HidingKind kind, String id, String reason, Caller.Person by) {
        return store.subject(kind, id, by)
                .flatMap(subject -> store.add(subject, reason, by, clock.instant())
                        .flatMap(hiding -> done(
                                subject,
                                "hiding.hide",
                                hiding,
                                Map.of("kind", kind.wire(), "of", id, "reason", reason),
                                by))
                        .defaultIfEmpty(HidingResult.TWICE))
                .defaultIfEmpty(HidingResult.UNKNOWN)
                .as(transaction::transactional);
    }

    /** @param hiding external id */
    Mono<HidingResult> show(String hiding, Caller.Person by) {
        return store.end(hiding, by, clock.instant())
                .flatMap(subject -> done(
                        subject,
                        "hiding.show",
                        hiding,
                        Map.of("kind", subject.kind().wire()),
                        by))
                .switchIfEmpty(store.exists(hiding).map(exists -> exists ? HidingResult.TWICE : HidingResult.UNKNOWN))
                .as(transaction::transactional);
    }

    private Mono<HidingResult> done(
            Subject subject, String action, String hiding, Map<String, String> detail, Caller.Person by) {
        MachineId machine = subject.machine();
        return (machine == null ? cover.changed(subject.workspace()) : cover.changed(machine))
                .then(audit.append(new AuditEvent(subject.workspace(), by.actor(), action, hiding, detail)))
                .thenReturn(HidingResult.DONE);
    }
}
