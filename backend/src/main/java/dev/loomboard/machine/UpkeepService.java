package dev.loomboard.machine;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.cell.Visibility;
import dev.loomboard.visibility.CoverService;
import dev.loomboard.visibility.VisibilityService;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** What owners, and administrators, change of a machine; what {@link UpkeepStore} finds so already is not recorded. */
@Service
class UpkeepService {

    private final UpkeepStore store;
    private final MachineStore machines;
    private final VisibilityService results;
    private final CoverService cover;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    UpkeepService(
            UpkeepStore store,
            MachineStore machines,
            VisibilityService results,
            CoverService cover,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.store = store;
        this.machines = machines;
        this.results = results;
        this.cover = cover;
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

    /** Makes the key of its agent worthless: it measures no more. */
    Mono<Void> revoke(MachineView.Summary machine, String by) {
        return machines.revoke(machine.key(), clock.instant())
                .filter(revoked -> revoked)
                .flatMap(revoked -> audit.append(
                        new AuditEvent(machine.workspaceKey(), by, "machine.revoke", machine.id(), Map.of())))
                .as(transaction::transactional);
    }

    Mono<Void> setReruns(MachineView.Summary machine, boolean reruns, String by) {
        return machines.setReruns(machine.key(), reruns)
                .then(audit.append(new AuditEvent(
                        machine.workspaceKey(),
                        by,
                        "machine.reruns",
                        machine.id(),
                        Map.of("to", reruns ? "on" : "off"))))
                .as(transaction::transactional);
    }

    /** To public ranks, or takes that back. */
    Mono<Void> setAdmission(MachineView.Summary machine, boolean admitted, String by) {
        return results.visibilityChanges(
                        machine.key(), machines.setAdmission(machine.key(), admitted ? clock.instant() : null))
                .then(audit.append(new AuditEvent(
                        machine.workspaceKey(),
                        by,
                        "machine.admission",
                        machine.id(),
                        Map.of("to", admitted ? "admitted" : "not admitted"))))
                .as(transaction::transactional);
    }

    Mono<Void> setVisibility(MachineView.Summary machine, Visibility visibility, String by) {
        return machines.stateVisibility(machine.key(), visibility)
                .then(cover.changed(machine.key()))
                .then(audit.append(new AuditEvent(
                        machine.workspaceKey(),
                        by,
                        "machine.visibility",
                        machine.id(),
                        Map.of("to", visibility.wire()))))
                .as(transaction::transactional);
    }

    private Mono<Void> recorded(Mono<Boolean> change, AuditEvent event) {
        return change.filter(changed -> changed)
                .flatMap(changed -> audit.append(event))
                .as(transaction::transactional);
    }
}
