package dev.loomboard.membership;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WorkspaceId;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Changes what members are, and removes them; a workspace never loses its last owner. Whether the caller may is asked before. */
@Service
public class MemberService {

    private final MemberStore members;
    private final AuditStore audit;
    private final TransactionalOperator transaction;

    MemberService(MemberStore members, AuditStore audit, TransactionalOperator transaction) {
        this.members = members;
        this.audit = audit;
        this.transaction = transaction;
    }

    /**
     * @param account external id of the member
     * @param by external id of who does it
     */
    public Mono<MemberResult> change(WorkspaceId workspace, String account, Role role, String by) {
        return changed(
                workspace,
                account,
                role == Role.OWNER,
                was -> was == role
                        ? Mono.empty()
                        : members.change(workspace, account, role)
                                .then(audit.append(new AuditEvent(
                                        workspace,
                                        by,
                                        "member.role",
                                        account,
                                        Map.of("from", was.wire(), "to", role.wire())))));
    }

    /** Who removes themselves leaves. */
    public Mono<MemberResult> remove(WorkspaceId workspace, String account, String by) {
        String action = account.equals(by) ? "member.leave" : "member.remove";
        return changed(
                workspace,
                account,
                false,
                was -> members.remove(workspace, account)
                        .then(audit.append(
                                new AuditEvent(workspace, by, action, account, Map.of("role", was.wire())))));
    }

    /** A change, given what the member is. */
    private interface Change {
        Mono<Void> of(Role was);
    }

    private Mono<MemberResult> changed(WorkspaceId workspace, String account, boolean staysOwner, Change change) {
        return members.lock(workspace)
                .then(Mono.zip(members.role(workspace, account), members.owners(workspace)))
                .flatMap(found -> found.getT1() == Role.OWNER && !staysOwner && found.getT2() <= 1
                        ? Mono.just(MemberResult.LAST_OWNER)
                        : change.of(found.getT1()).thenReturn(MemberResult.DONE))
                .defaultIfEmpty(MemberResult.UNKNOWN)
                .as(transaction::transactional);
    }
}
