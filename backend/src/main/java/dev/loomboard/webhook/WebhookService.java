package dev.loomboard.webhook;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.web.Problem;
import java.time.Clock;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** What owners do with webhooks, with the audit log. */
@Service
class WebhookService {

    /** Of one workspace: each is called for each notice. */
    static final int MOST = 10;

    private final WebhookStore store;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    WebhookService(WebhookStore store, AuditStore audit, TransactionalOperator transaction, Clock clock) {
        this.store = store;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** The secret, which nobody is told again. A conflict when the workspace has as many as it may. */
    Mono<WebhookSecret> add(WorkspaceId workspace, NewWebhook webhook, Caller.Person person) {
        WebhookSecret secret = WebhookSecret.random();
        return store.lock(workspace)
                .then(Mono.defer(() -> store.count(workspace)))
                .flatMap(there -> there >= MOST
                        ? Mono.<String>error(Problem.conflict(
                                        "quota",
                                        "A workspace has at most " + MOST + " webhooks. Remove one that is not used.")
                                .asException())
                        : store.add(workspace, webhook, secret, person, clock.instant()))
                .flatMap(id -> note(workspace, person, "webhook.add", id, Map.of("name", webhook.name())))
                .thenReturn(secret)
                .as(transaction::transactional);
    }

    Mono<Boolean> remove(WorkspaceId workspace, String id, Caller.Person person) {
        return done(store.remove(workspace, id, clock.instant()), workspace, person, "webhook.remove", id);
    }

    Mono<Boolean> test(WorkspaceId workspace, String id, Caller.Person person) {
        return done(store.addTest(workspace, id, clock.instant()), workspace, person, "webhook.test", id);
    }

    Mono<Boolean> again(WorkspaceId workspace, String message, Caller.Person person) {
        return done(store.again(workspace, message, clock.instant()), workspace, person, "webhook.send-again", message);
    }

    private Mono<Boolean> done(
            Mono<Boolean> change, WorkspaceId workspace, Caller.Person person, String action, String subject) {
        return change.flatMap(changed -> changed
                        ? note(workspace, person, action, subject, Map.of()).thenReturn(true)
                        : Mono.just(false))
                .as(transaction::transactional);
    }

    private Mono<Void> note(
            WorkspaceId workspace, Caller.Person person, String action, String subject, Map<String, String> detail) {
        return audit.append(new AuditEvent(workspace, person.actor(), action, subject, detail));
    }
}
