package dev.loomboard.workspace;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.membership.MemberStore;
import dev.loomboard.visibility.CoverService;
import java.time.Clock;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Makes, renames, covers and deletes workspaces, with the audit log. Whether the caller may is asked before. */
@Service
class WorkspaceService {

    private final WorkspaceWriteStore store;
    private final MemberStore members;
    private final CoverService cover;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;
    private final int perPerson;

    /** @param perPerson how many a person may make; administrators any number */
    WorkspaceService(
            WorkspaceWriteStore store,
            MemberStore members,
            CoverService cover,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock,
            @Value("${loomboard.workspaces.per-person}") int perPerson) {
        this.store = store;
        this.members = members;
        this.cover = cover;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
        this.perPerson = perPerson;
    }

    int perPerson() {
        return perPerson;
    }

    /** The maker owns it, and it becomes where new things of the maker go. */
    Mono<WorkspaceResult> create(NewWorkspace workspace, Caller.Person by) {
        return store.made(by)
                .flatMap(made -> made < perPerson || by.administrator()
                        ? add(workspace, by)
                        : Mono.just(WorkspaceResult.TOO_MANY))
                .as(transaction::transactional);
    }

    private Mono<WorkspaceResult> add(NewWorkspace workspace, Caller.Person by) {
        return store.add(workspace, by, clock.instant())
                .delayUntil(added -> members.add(added.key(), by.account(), Role.OWNER))
                .delayUntil(added -> store.choose(by, added.key()))
                .delayUntil(added -> note(
                        added.key(),
                        by,
                        "workspace.create",
                        added.id(),
                        Map.of(
                                "workspace",
                                workspace.slug(),
                                "visibility",
                                workspace.visibility().wire())))
                .map(added -> WorkspaceResult.DONE)
                .defaultIfEmpty(WorkspaceResult.TAKEN);
    }

    /** No event: it says only where the person's forms begin. */
    Mono<Void> choose(WorkspaceId workspace, Caller.Person by) {
        return store.choose(by, workspace).as(transaction::transactional);
    }

    Mono<Void> rename(WorkspaceView workspace, String name, Caller.Person by) {
        return name.equals(workspace.name())
                ? Mono.empty()
                : store.rename(workspace.key(), name)
                        .then(note(
                                workspace.key(),
                                by,
                                "workspace.rename",
                                workspace.id(),
                                Map.of("from", workspace.name(), "to", name)))
                        .as(transaction::transactional);
    }

    Mono<Void> setVisibility(WorkspaceView workspace, Visibility visibility, Caller.Person by) {
        return visibility == workspace.visibility()
                ? Mono.empty()
                : store.stateVisibility(workspace.key(), visibility)
                        .then(cover.changed(workspace.key()))
                        .then(note(
                                workspace.key(),
                                by,
                                "workspace.visibility",
                                workspace.id(),
                                Map.of("to", visibility.wire())))
                        .as(transaction::transactional);
    }

    /** Not of the default workspace. */
    Mono<WorkspaceResult> delete(WorkspaceView workspace, Caller.Person by) {
        return store.isBusy(workspace.key())
                .flatMap(busy -> busy
                        ? Mono.just(WorkspaceResult.BUSY)
                        : store.delete(workspace.key(), clock.instant())
                                .then(cover.changed(workspace.key()))
                                .then(note(
                                        workspace.key(),
                                        by,
                                        "workspace.delete",
                                        workspace.id(),
                                        Map.of("workspace", workspace.slug())))
                                .thenReturn(WorkspaceResult.DONE))
                .as(transaction::transactional);
    }

    private Mono<Void> note(
            WorkspaceId workspace, Caller.Person by, String action, String subject, Map<String, String> detail) {
        return audit.append(new AuditEvent(workspace, by.actor(), action, subject, detail));
    }
}
