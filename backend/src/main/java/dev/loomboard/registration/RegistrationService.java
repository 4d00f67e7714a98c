package dev.loomboard.registration;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.cell.Visibility;
import dev.loomboard.inventory.Inventory;
import dev.loomboard.inventory.InventoryStore;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.machine.MachineName;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.quota.QuotaKind;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.visibility.CoverService;
import dev.loomboard.web.Urls;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** How a machine comes to be: a person or script makes a token, the machine's agent uses it up. */
@Service
class RegistrationService {

    static final Duration TOKEN_LIFE = Duration.ofHours(1);

    private final RegistrationStore tokens;
    private final MachineStore machines;
    private final InventoryStore inventories;
    private final JdkStore jdks;
    private final CoverService cover;
    private final KeyService keys;
    private final QuotaService quotas;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    RegistrationService(
            RegistrationStore tokens,
            MachineStore machines,
            InventoryStore inventories,
            JdkStore jdks,
            CoverService cover,
            KeyService keys,
            QuotaService quotas,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.tokens = tokens;
        this.machines = machines;
        this.inventories = inventories;
        this.jdks = jdks;
        this.cover = cover;
        this.keys = keys;
        this.quotas = quotas;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** @param token shown once, here */
    record NewToken(String id, Secret token, String slug, Instant expiresAt) {}

    /** @param key the agent's, shown once, here */
    record Registered(String id, String workspace, String slug, Secret key, Instant keyExpiresAt) {
        String pageUrl() {
            return Urls.machine(workspace, slug);
        }
    }

    /**
     * An error where the workspace has as many machines as it may have.
     *
     * @param name one without problems
     */
    Mono<NewToken> newToken(WorkspaceId workspace, MachineName name, Visibility visibility, String by) {
        Secret token = Secret.random("lbr");
        String id = ExternalId.random("reg").value();
        Instant now = clock.instant();
        Instant expires = now.plus(TOKEN_LIFE);
        return room(workspace)
                .then(tokens.freeSlug(workspace, name.slug()))
                .flatMap(slug -> tokens.add(id, token, workspace, name, visibility, slug, by, now, expires)
                        .then(audit.append(new AuditEvent(workspace, by, "machine.token", id, Map.of("machine", slug))))
                        .thenReturn(new NewToken(id, token, slug, expires)))
                .as(transaction::transactional);
    }

    /** Empty when the token is not good (any more). */
    Mono<Registered> register(Secret token, Inventory inventory) {
        return tokens.take(token, clock.instant())
                .flatMap(taken -> room(taken.workspace())
                        .then(tokens.freeSlug(taken.workspace(), taken.slug()))
                        .flatMap(slug -> add(taken, slug, inventory)))
                .as(transaction::transactional);
    }

    private Mono<Void> room(WorkspaceId workspace) {
        return quotas.full(workspace, QuotaKind.MACHINES)
                .flatMap(full -> Mono.error(QuotaService.refusal(full).asException()));
    }

    private Mono<Registered> add(RegistrationStore.Taken taken, String slug, Inventory inventory) {
        Secret key = Secret.random("lba");
        String id = ExternalId.random("mac").value();
        return tokens.addMachine(id, taken, slug, key)
                .delayUntil(cover::added)
                .flatMap(machine -> tokens.usedBy(taken.key(), machine)
                        .then(replace(machine, inventory))
                        .then(audit.append(
                                new AuditEvent(taken.workspace(), id, "machine.register", id, Map.of("machine", slug))))
                        .then(keys.begins(machine)))
                .map(end -> new Registered(id, taken.workspaceSlug(), slug, key, end));
    }

    Mono<Boolean> wasUsed(Secret token) {
        return tokens.wasUsed(token);
    }

    Mono<Void> inventory(MachineId machine, Inventory inventory) {
        return replace(machine, inventory)
                .then(machines.seen(
                        machine, clock.instant())) // only an agent that runs is online: registering is no sign of one
                .as(transaction::transactional);
    }

    private Mono<Void> replace(MachineId machine, Inventory inventory) {
        return inventories
                .replace(machine, inventory)
                .then(inventories.logHost(machine, inventory, clock.instant()))
                .then(inventories.keepAttempts(machine, inventory.attempts()))
                .then(jdks.replace(machine, inventory.jdks()));
    }
}
