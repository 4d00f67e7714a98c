package dev.loomboard.machine;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** What owners change of a machine while it measures; what is so already changes nothing and is not recorded. */
@Service
class UpkeepService {

    private final UpkeepStore store;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    UpkeepService(UpkeepStore store, AuditStore audit, TransactionalOperator transaction, Clock clock) {
        this.store = store;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** No new run is given to it, or they are again. */
    Mono<Void> drain(MachineView.Summary machine, boolean drains, String by) {
        return recorded(
                store.drain(machine.key(), drains ? clock.instant() : null),
                new AuditEvent(
                        machine.workspaceKey(),
                        by,
                        "machine.drain",
                        machine.id(),
                        Map.of("to", drains ? "on" : "off")));
    }

    /** For people alone: its name in addresses stays. */
    Mono<Void> rename(MachineView.Summary machine, String name, String by) {
        return recorded(
                store.rename(machine.key(), name),
                new AuditEvent(
                        machine.workspaceKey(),
                        by,
                        "machine.rename",
                        machine.id(),
                        Map.of("from", machine.name(), "to", name)));
    }

    /** What matrices may require of it, besides what its agent offers. */
    Mono<Void> label(MachineView.Summary machine, List<String> labels, String by) {
        return recorded(
                store.label(machine.key(), labels),
                new AuditEvent(
                        machine.workspaceKey(),
                        by,
                        "machine.labels",
                        machine.id(),
                        Map.of("to", String.join(" ", labels))));
    }

    private Mono<Void> recorded(Mono<Boolean> change, AuditEvent event) {
        return change.filter(changed -> changed)
                .flatMap(changed -> audit.append(event))
                .as(transaction::transactional);
    }
}
