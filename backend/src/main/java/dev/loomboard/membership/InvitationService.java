package dev.loomboard.membership;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.WorkspaceId;
import java.time.Clock;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Makes, revokes and honours invitations, with the audit log. */
@Service
public class InvitationService {

    private final InvitationStore invitations;
    private final MemberStore members;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    InvitationService(
            InvitationStore invitations,
            MemberStore members,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.invitations = invitations;
        this.members = members;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** The invitation that a link's secret stands for; empty: there is none that works. */
    public Mono<Invitation> valid(String token) {
        return Secret.isOf("lbi", token) ? invitations.valid(new Secret(token), clock.instant()) : Mono.empty();
    }

    /**
     * Makes the person what the invitation says, and uses it once; who belongs to the workspace already stays what they are,
     * and it is not used. Empty: no invitation works by that secret.
     */
    public Mono<Invitation> accept(String token, Caller.Person person) {
        if (!Secret.isOf("lbi", token)) {
            return Mono.empty();
        }
        Secret secret = new Secret(token);
        return invitations
                .lock(secret)
                .then(invitations.valid(secret, clock.instant()))
                .delayUntil(invitation -> members.add(invitation.into().key(), person.account(), invitation.role())
                        .filter(added -> added)
                        .flatMap(added -> joined(invitation, person)))
                .as(transaction::transactional);
    }

    private Mono<Void> joined(Invitation invitation, Caller.Person person) {
        return invitations
                .use(invitation)
                .then(audit.append(new AuditEvent(
                        invitation.into().key(),
                        person.actor(),
                        "invitation.accept",
                        invitation.id(),
                        Map.of("role", invitation.role().wire()))));
    }

    public Flux<Invitation> of(WorkspaceId workspace) {
        return invitations.of(workspace, clock.instant());
    }

    /** The secret of the link, which nobody can be told again. */
    public Mono<Secret> create(WorkspaceId workspace, NewInvitation invitation, Caller.Person by) {
        Secret secret = Secret.random("lbi");
        return invitations
                .add(workspace, invitation, secret, by, clock.instant())
                .flatMap(id -> audit.append(new AuditEvent(
                        workspace,
                        by.actor(),
                        "invitation.create",
                        id,
                        Map.of(
                                "role",
                                invitation.role().wire(),
                                "uses",
                                Integer.toString(invitation.uses()),
                                "days",
                                Long.toString(invitation.life().toDays())))))
                .thenReturn(secret)
                .as(transaction::transactional);
    }

    /** False: the workspace has no such invitation, or it was revoked before. */
    public Mono<Boolean> revoke(WorkspaceId workspace, String id, Caller.Person by) {
        return invitations
                .revoke(workspace, id, clock.instant())
                .filter(revoked -> revoked)
                .flatMap(revoked -> audit.append(
                                new AuditEvent(workspace, by.actor(), "invitation.revoke", id, Map.of()))
                        .thenReturn(true))
                .defaultIfEmpty(false)
                .as(transaction::transactional);
    }
}
