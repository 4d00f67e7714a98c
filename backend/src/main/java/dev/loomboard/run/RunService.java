package dev.loomboard.run;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.cell.RunPriority;
import dev.loomboard.cell.RunState;
import dev.loomboard.expansion.Expansion;
import dev.loomboard.expansion.TrialPlan;
import dev.loomboard.expansion.TrialSecondsStore;
import dev.loomboard.inventory.InventoryStore;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.Right;
import dev.loomboard.matrix.RequirementService;
import dev.loomboard.quota.QuotaKind;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.VerdictStore;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Runs as people, schedules and the service itself ask for them: queued, put before others, cancelled. */
@Service
public class RunService {

    private final RunStore runs;
    private final RunCellStore contents;
    private final TrialSecondsStore seconds;
    private final InventoryStore inventories;
    private final JdkStore jdks;
    private final RequirementService requirements;
    private final LeaseChangeService changes;
    private final VerdictStore families;
    private final QuotaService quotas;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    RunService(
            RunStore runs,
            RunCellStore contents,
            TrialSecondsStore seconds,
            InventoryStore inventories,
            JdkStore jdks,
            RequirementService requirements,
            LeaseChangeService changes,
            VerdictStore families,
            QuotaService quotas,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.runs = runs;
        this.contents = contents;
        this.seconds = seconds;
        this.inventories = inventories;
        this.jdks = jdks;
        this.requirements = requirements;
        this.changes = changes;
        this.families = families;
        this.quotas = quotas;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** Lays the matrix out on the machine as it is now, and queues it. */
    public Mono<CreateResult> create(NewRun run) {
        if (run.machine().agent().revoked()) {
            return Mono.just(new CreateResult.Refused(
                    "the key of machine " + run.machine().slug() + " was revoked"));
        }
        return requirements
                .lacking(run.matrix().spec(), run.machine().key())
                .<CreateResult>map(lacks ->
                        new CreateResult.Refused("machine " + run.machine().slug() + " " + lacks))
                .switchIfEmpty(Mono.defer(() -> layOut(run)));
    }

    private Mono<CreateResult> layOut(NewRun run) {
        MachineId machine = run.machine().key();
        long seed = ThreadLocalRandom.current().nextLong(TrialPlan.SEEDS);
        return Mono.zip(jdks.present(machine).collectList(), inventories.servers(machine))
                .map(has -> Expansion.of(
                        run.matrix().spec(),
                        run.selectors(),
                        has.getT1(),
                        has.getT2(),
                        run::wants,
                        run.control(),
                        seed))
                .flatMap(laidOut -> switch (laidOut) {
                    case Expansion.Expanded expanded -> queue(run, expanded.expansion());
                    case Expansion.Nothing nothing ->
                        Mono.<CreateResult>just(new CreateResult.Refused(nothing.explained()));
                });
    }

    private Mono<CreateResult> queue(NewRun run, Expansion expansion) {
        return quotas.full(run.machine().workspaceKey(), QuotaKind.QUEUED_RUNS)
                .<CreateResult>map(full -> new CreateResult.Refused(full.refusal(), true))
                .switchIfEmpty(Mono.defer(() -> add(run, expansion)))
                .as(transaction::transactional);
    }

    private Mono<CreateResult> add(NewRun run, Expansion expansion) {
        String id = ExternalId.random("run").value();
        return seconds.of(run.machine().key(), run.matrix().spec())
                .flatMap(trials -> runs.add(id, run, expansion, trials.all(expansion)))
                .delayUntil(key -> contents.add(key, run.machine().workspaceKey(), expansion.cells()))
                .delayUntil(key -> families.declare(key, DeclaredTest.of(expansion.cells())))
                .flatMap(key -> audit.append(new AuditEvent(
                                run.machine().workspaceKey(),
                                run.createdBy(),
                                "run.create",
                                id,
                                Map.of(
                                        "matrix",
                                        run.matrix().slug(),
                                        "machine",
                                        run.machine().slug())))
                        .<CreateResult>thenReturn(new CreateResult.Created(key, id, expansion.notices())));
    }

    /** Cancels a run that is the caller's to cancel; empty when there is none. */
    public Mono<RunState> cancel(Caller caller, String id) {
        return runs.byId(id)
                .filter(run -> RunMaker.mayCancel(caller, run.workspace(), run.createdBy()))
                .flatMap(run -> cancel(run, caller.actor(), Map.of()))
                .as(transaction::transactional);
    }

    /**
     * Cancels a run that the service itself queued.
     *
     * @param actor external id of what it was queued for
     */
    public Mono<RunState> cancel(String actor, String id) {
        return runs.byId(id).flatMap(run -> cancel(run, actor, Map.of())).as(transaction::transactional);
    }

    /**
     * Stops a run that the service itself queued, as {@link #cancel} does, and says why: what has ended is kept and judged. False: it
     * is over, or somebody cancelled it before.
     *
     * @param actor external id of what it was queued for
     */
    public Mono<Boolean> stop(String actor, String id, RunStop why) {
        return runs.byId(id)
                .filter(run -> !run.lease().state().isOver() && run.lease().cancelRequested() == null)
                .flatMap(run -> runs.saveStop(run.key(), why)
                        .then(cancel(run, actor, Map.of("reason", why.reason())))
                        .thenReturn(true))
                .defaultIfEmpty(false)
                .as(transaction::transactional);
    }

    private Mono<RunState> cancel(RunStore.Locked run, String actor, Map<String, String> detail) {
        Instant now = clock.instant();
        Lease next = run.lease().cancel(now);
        return changes.write(run, next, now)
                .then(audit.append(new AuditEvent(run.workspace(), actor, "run.cancel", run.id(), detail)))
                .thenReturn(next.state());
    }

    /** Of a run that the caller owns and that waits; empty when there is none. */
    public Mono<Boolean> prioritise(Caller caller, String id, RunPriority priority) {
        return runs.byId(id)
                .filter(run -> caller.may(Right.CANCEL_RUNS, run.workspace()))
                .flatMap(run -> run.lease().state() == RunState.QUEUED
                        ? runs.savePriority(run.key(), priority)
                                .then(audit.append(new AuditEvent(
                                        run.workspace(),
                                        caller.actor(),
                                        "run.priority",
                                        run.id(),
                                        Map.of("to", priority.wire()))))
                                .thenReturn(true)
                        : Mono.just(false))
                .as(transaction::transactional);
    }
}
