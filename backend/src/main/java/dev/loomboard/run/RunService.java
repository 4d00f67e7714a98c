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
import dev.loomboard.machine.MachineStore;
import dev.loomboard.matrix.RequirementService;
import dev.loomboard.plan.Assignment;
import dev.loomboard.plan.BlockRepeatStore;
import dev.loomboard.plan.Plan;
import dev.loomboard.plan.StoredCell;
import dev.loomboard.quota.QuotaKind;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.recompute.RecomputeService;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.VerdictStore;
import dev.loomboard.web.request.RequestId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The queue of runs: each call reads a run under its lock, asks {@link Lease}, and writes what comes back. */
@Service
public class RunService {

    private static final Logger LOG = LoggerFactory.getLogger(RunService.class);

    private final RunStore runs;
    private final RunCellStore contents;
    private final BlockRepeatStore repeats;
    private final FurtherTrialsService further;
    private final TrialSecondsStore seconds;
    private final MachineStore machines;
    private final InventoryStore inventories;
    private final JdkStore jdks;
    private final RequirementService requirements;
    private final RunEventService events;
    private final QueueWatchService watch;
    private final RecomputeService rollup;
    private final VerdictStore families;
    private final QuotaService quotas;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final RunSettings settings;
    private final Clock clock;
    private final Set<Long> stuck = ConcurrentHashMap.newKeySet();

    RunService(
            RunStore runs,
            RunCellStore contents,
            BlockRepeatStore repeats,
            FurtherTrialsService further,
            TrialSecondsStore seconds,
            MachineStore machines,
            InventoryStore inventories,
            JdkStore jdks,
            RequirementService requirements,
            RunEventService events,
            QueueWatchService watch,
            RecomputeService rollup,
            VerdictStore families,
            QuotaService quotas,
            AuditStore audit,
            TransactionalOperator transaction,
            RunSettings settings,
            Clock clock) {
        this.runs = runs;
        this.contents = contents;
        this.repeats = repeats;
        this.further = further;
        this.seconds = seconds;
        this.machines = machines;
        this.inventories = inventories;
        this.jdks = jdks;
        this.requirements = requirements;
        this.events = events;
        this.watch = watch;
        this.rollup = rollup;
        this.families = families;
        this.quotas = quotas;
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

    /** Work for a machine; waits for some for the given time, then gives nothing. */
    Mono<Assignment> claim(MachineId machine, Duration wait) {
        Flux<Long> looks = wait.isZero()
                ? Flux.just(0L)
                : Flux.merge(Flux.just(0L), watch.queuedFor(machine))
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
            case Lease.Granted granted
            when run.storedSpec() == null -> endUnreadable(run, now).then(Mono.defer(() -> grantNext(machine)));
            case Lease.Granted granted -> roomFor(run).switchIfEmpty(Mono.defer(() -> grant(run, granted.next(), now)));
            case Lease.Spent spent -> end(run, spent.next(), now).then(Mono.defer(() -> grantNext(machine)));
        });
    }

    /**
     * Refuses to begin a run whose workspace could store nothing of it (429): its agent would measure for nothing, and then hold
     * it until there is room. One that has begun goes on. Empty: there is room.
     */
    private Mono<Assignment> roomFor(RunStore.Locked run) {
        return run.lease().state() != RunState.QUEUED
                ? Mono.empty()
                : quotas.noRoom(run.workspace())
                        .flatMap(full -> Mono.<Assignment>error(QuotaService.later(
                                full.refusal() + ". Run " + run.id() + " waits until there is room")));
    }

    /** A repeated block that the earlier lease left unfinished starts again. */
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
        Mono<Lease.Beat> usual = runs.beatOn(machine, id, beat, now, now.plus(settings.lease()));
        Mono<Lease.Beat> other = runs.ofMachine(machine, id)
                .flatMap(run -> switch (run.lease().heartbeat(beat.fencing(), now, settings.lease())) {
                    case Lease.Heard heard ->
                        runs.beat(run, heard.next(), beat, now).<Lease.Beat>thenReturn(heard);
                    case Lease.GoesOn goesOn -> Mono.<Lease.Beat>just(goesOn);
                    case Lease.Superseded superseded -> Mono.<Lease.Beat>just(superseded);
                })
                .as(transaction::transactional);
        return usual.switchIfEmpty(other);
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
        return change(run, next, now)
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

    /**
     * What time does to silent runs; called every minute. Gives how many it changed. Each run is changed by itself: one that
     * cannot be does not hold up the others.
     */
    Mono<Long> expire() {
        Instant now = clock.instant();
        return runs.silent(now)
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(run -> expire(run, now).onErrorResume(e -> stuck(run, e)))
                .filter(changed -> changed)
                .count();
    }

    private Mono<Boolean> expire(long key, Instant now) {
        return runs.silent(key, now)
                .flatMap(run -> expire(run, now))
                .as(transaction::transactional)
                .doOnNext(changed -> stuck.remove(key));
    }

    private Mono<Boolean> expire(RunStore.Locked run, Instant now) {
        if (run.storedSpec() == null && !run.machineRevoked()) {
            return endUnreadable(run, now).thenReturn(true);
        }
        Lease next =
                run.machineRevoked() ? run.lease().abandoned() : run.lease().passed(now, settings.awayLimit());
        return change(run, next, now).thenReturn(!next.equals(run.lease()));
    }

    /** No numbers are made of it as a whole: these need its matrix. Trials that ended have theirs. */
    private Mono<Void> endUnreadable(RunStore.Locked run, Instant now) {
        return stop(run, run.lease().unreadable(), now)
                .then(RequestId.logged(
                        () -> LOG.error("run {} is ended as failed: its stored matrix cannot be read", run.id())));
    }

    /** Told once, not every minute. */
    private Mono<Boolean> stuck(long run, Throwable why) {
        if (stuck.add(run)) {
            LOG.error("the run with the key {} is silent and cannot be changed; the others go on", run, why);
        }
        return Mono.just(false);
    }

    private Mono<Void> change(RunStore.Locked run, Lease next, Instant now) {
        if (next.equals(run.lease())) {
            return Mono.empty();
        }
        return next.state().isOver() ? end(run, next, now) : runs.save(run.key(), next, now);
    }

    private Mono<Void> end(RunStore.Locked run, Lease over, Instant now) {
        return stop(run, over, now).flatMap(aborted -> rollup.runEnded(run.key(), aborted));
    }

    /** Gives the keys of trials that will not end. */
    private Mono<List<Long>> stop(RunStore.Locked run, Lease over, Instant now) {
        String failure = over.failure();
        String why = failure == null ? "The run is " + over.state().wire() + "." : failure;
        return runs.save(run.key(), over, now)
                .then(contents.abortUnended(run.key(), why))
                .zipWhen(aborted -> repeats.cutOff(run.key()))
                .map(both -> Stream.concat(both.getT1().stream(), both.getT2().stream())
                        .distinct()
                        .toList());
    }
}
