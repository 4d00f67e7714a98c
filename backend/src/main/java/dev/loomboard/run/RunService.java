package dev.loomboard.run;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.cell.RunState;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.machine.InventoryStore;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.matrix.Expansion;
import dev.loomboard.matrix.TrialPlan;
import dev.loomboard.recompute.RecomputeService;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.VerdictStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The queue of runs: each call reads a run under its lock, asks {@link Lease}, and writes what comes back. */
@Service
public class RunService {

    /** Between two looks into the queue while an agent waits and no change is announced. */
    private static final Duration LOOK = Duration.ofSeconds(2);

    private final RunStore runs;
    private final RunCellStore contents;
    private final BlockRepeatStore repeats;
    private final FurtherTrialsService further;
    private final MachineStore machines;
    private final InventoryStore inventories;
    private final JdkStore jdks;
    private final RunEventService events;
    private final RecomputeService rollup;
    private final VerdictStore families;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final RunSettings settings;
    private final Clock clock;

    RunService(
            RunStore runs,
            RunCellStore contents,
            BlockRepeatStore repeats,
            FurtherTrialsService further,
            MachineStore machines,
            InventoryStore inventories,
            JdkStore jdks,
            RunEventService events,
            RecomputeService rollup,
            VerdictStore families,
            AuditStore audit,
            TransactionalOperator transaction,
            RunSettings settings,
            Clock clock) {
        this.runs = runs;
        this.contents = contents;
        this.repeats = repeats;
        this.further = further;
        this.machines = machines;
        this.inventories = inventories;
        this.jdks = jdks;
        this.events = events;
        this.rollup = rollup;
        this.families = families;
        this.audit = audit;
        this.transaction = transaction;
        this.settings = settings;
        this.clock = clock;
    }

    /** Lays the matrix out on the machine as it is now, and queues it. */
    public Mono<CreateResult> create(NewRun run) {
        if (run.machine().agent().revoked()) {
            return Mono.just(new CreateResult.Refused(
                    "the key of machine " + run.machine().slug() + " was revoked"));
        }
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
        String id = ExternalId.random("run").value();
        return runs.add(id, run, expansion)
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
                        .<CreateResult>thenReturn(new CreateResult.Created(key, id, expansion.notices())))
                .as(transaction::transactional);
    }

    /** Work for a machine; waits for some as long as it is told, then gives nothing. */
    Mono<Assignment> claim(MachineId machine, Duration wait) {
        Flux<Long> looks = wait.isZero()
                ? Flux.just(0L)
                : Flux.merge(
                                Flux.interval(Duration.ZERO, LOOK),
                                events.anyChange().map(id -> 0L))
                        // Only asking ends with time: a lease once granted is always delivered or seen to be lost.
                        .take(wait)
                        .takeUntilOther(events.stopping())
                        .onBackpressureLatest();
        return machines.seen(machine, clock.instant())
                .thenMany(looks)
                .concatMap(look -> claimNow(machine), 1)
                .next();
    }

    private Mono<Assignment> claimNow(MachineId machine) {
        return runs.lockMachine(machine)
                .filter(there -> there)
                .flatMap(there -> grantNext(machine))
                .as(transaction::transactional);
    }

    private Mono<Assignment> grantNext(MachineId machine) {
        Instant now = clock.instant();
        return runs.next(machine).flatMap(run -> switch (run.lease().claim(now, settings.lease())) {
            case Lease.Granted granted -> grant(run, granted.next(), now);
            case Lease.Spent spent -> end(run, spent.next(), now).then(Mono.defer(() -> grantNext(machine)));
        });
    }

    /** A repeat of a block that the lease before left half made is begun anew. */
    private Mono<Assignment> grant(RunStore.Locked run, Lease lease, Instant now) {
        return runs.save(run.key(), lease, now)
                .then(contents.abortUnended(run.key(), "Its agent stopped; lease " + lease.fencing() + " takes over."))
                .delayUntil(aborted -> repeats.cutOff(run.key()))
                .flatMap(aborted -> Mono.zip(
                                contents.cells(run.key()).collectList(),
                                contents.ended(run.key()).collect(Collectors.toSet()))
                        .flatMap(found -> plan(run, lease, found.getT1(), found.getT2()))
                        // Once they are planned again: else a cell whose last trial was aborted would look finished.
                        .delayUntil(planned -> rollup.trialsEnded(aborted)));
    }

    private Mono<Assignment> plan(
            RunStore.Locked run, Lease lease, List<StoredCell> cells, Set<Plan.EndedTrial> ended) {
        List<Plan.Planned> planned =
                Plan.of(run.spec().trials(), Objects.requireNonNull(run.orderSeed()), cells, ended);
        Assignment assignment = new Assignment(
                run.id(),
                lease.fencing(),
                settings.lease().toSeconds(),
                settings.heartbeat().toSeconds(),
                run.title(),
                run.spec().protocol(),
                run.spec().phases(),
                run.spec().maxWorkers(),
                run.spec().timeoutSeconds(),
                run.spec().jvmOptions(),
                planned.stream().map(Plan.Planned::trial).toList());
        return contents.addTrials(run, lease.fencing(), planned).thenReturn(assignment);
    }

    /** Empty when the machine has no such run. */
    Mono<Lease.Beat> heartbeat(MachineId machine, String id, Heartbeat beat) {
        Instant now = clock.instant();
        return runs.ofMachine(machine, id)
                .flatMap(run -> switch (run.lease().heartbeat(beat.fencing(), now, settings.lease())) {
                    case Lease.Heard heard ->
                        runs.save(run.key(), heard.next(), now)
                                .then(runs.saveProgress(run.key(), beat))
                                .then(contents.savePhase(run.key(), beat))
                                .then(machines.seen(machine, now))
                                .<Lease.Beat>thenReturn(heard);
                    case Lease.Superseded superseded -> Mono.<Lease.Beat>just(superseded);
                })
                .as(transaction::transactional);
    }

    /** A run that wants further trials does not end. Empty when the machine has no such run. */
    Mono<Lease.Ending> complete(
            MachineId machine, String id, long fencing, Lease.Outcome outcome, @Nullable String reason) {
        Instant now = clock.instant();
        return runs.ofMachine(machine, id)
                .flatMap(run -> contents.countUnended(run.key(), fencing).flatMap(unended -> switch (run.lease()
                        .complete(fencing, outcome, reason, unended)) {
                    case Lease.Ended ended -> endOrGoOn(run, ended.next(), now).<Lease.Ending>thenReturn(ended);
                    case Lease.Ending other -> Mono.just(other);
                }))
                .as(transaction::transactional);
    }

    private Mono<Void> endOrGoOn(RunStore.Locked run, Lease over, Instant now) {
        boolean mayGoOn = over.state() == RunState.DONE && over.cancelRequested() == null;
        return (mayGoOn ? further.ask(run) : Mono.just(false))
                .flatMap(more -> more
                        ? runs.save(run.key(), run.lease().again(now, settings.lease()), now)
                        : end(run, over, now));
    }

    /** Cancels a run that is the caller's to cancel; empty when there is none. */
    public Mono<RunState> cancel(Caller caller, String id) {
        return runs.byId(id)
                .filter(run -> RunMaker.mayCancel(caller, run.workspace(), run.createdBy()))
                .flatMap(run -> cancel(run, caller.actor()))
                .as(transaction::transactional);
    }

    /** Cancels a run that the service itself queued. @param actor external id of what it was queued for */
    public Mono<RunState> cancel(String actor, String id) {
        return runs.byId(id).flatMap(run -> cancel(run, actor)).as(transaction::transactional);
    }

    private Mono<RunState> cancel(RunStore.Locked run, String actor) {
        Instant now = clock.instant();
        Lease next = run.lease().cancel(now);
        return change(run, next, now)
                .then(audit.append(new AuditEvent(run.workspace(), actor, "run.cancel", run.id(), Map.of())))
                .thenReturn(next.state());
    }

    /** What time does to silent runs; called every minute. Gives how many it changed. */
    Mono<Long> expire() {
        Instant now = clock.instant();
        return runs.silent(now)
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(run -> {
                    Lease next = run.machineRevoked()
                            ? run.lease().abandoned()
                            : run.lease().passed(now, settings.awayLimit());
                    return change(run, next, now).thenReturn(!next.equals(run.lease()));
                })
                .filter(changed -> changed)
                .count()
                .as(transaction::transactional);
    }

    private Mono<Void> change(RunStore.Locked run, Lease next, Instant now) {
        if (next.equals(run.lease())) {
            return Mono.empty();
        }
        return next.state().isOver() ? end(run, next, now) : runs.save(run.key(), next, now);
    }

    private Mono<Void> end(RunStore.Locked run, Lease over, Instant now) {
        String failure = over.failure();
        String why = failure == null ? "The run is " + over.state().wire() + "." : failure;
        return runs.save(run.key(), over, now)
                .then(contents.abortUnended(run.key(), why))
                .zipWhen(aborted -> repeats.cutOff(run.key()))
                .flatMap(both -> rollup.runEnded(
                        run.key(),
                        Stream.concat(both.getT1().stream(), both.getT2().stream())
                                .distinct()
                                .toList()));
    }
}
