package dev.loomboard.run;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.plan.Assignment;
import dev.loomboard.plan.BlockRepeatStore;
import dev.loomboard.plan.Plan;
import dev.loomboard.plan.StoredCell;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.recompute.RecomputeService;
import dev.loomboard.web.request.RequestId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What agents and time do to runs: each call reads a run under its lock, asks {@link Lease}, and writes what comes back. */
@Service
class LeaseService {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseService.class);

    private final RunStore runs;
    private final RunCellStore contents;
    private final BlockRepeatStore repeats;
    private final FurtherTrialsService further;
    private final MachineStore machines;
    private final RunEventService events;
    private final QueueWatchService watch;
    private final RecomputeService rollup;
    private final QuotaService quotas;
    private final LeaseChangeService changes;
    private final TransactionalOperator transaction;
    private final RunSettings settings;
    private final Clock clock;
    private final Set<Long> stuck = ConcurrentHashMap.newKeySet();

    LeaseService(
            RunStore runs,
            RunCellStore contents,
            BlockRepeatStore repeats,
            FurtherTrialsService further,
            MachineStore machines,
            RunEventService events,
            QueueWatchService watch,
            RecomputeService rollup,
            QuotaService quotas,
            LeaseChangeService changes,
            TransactionalOperator transaction,
            RunSettings settings,
            Clock clock) {
        this.runs = runs;
        this.contents = contents;
        this.repeats = repeats;
        this.further = further;
        this.machines = machines;
        this.events = events;
        this.watch = watch;
        this.rollup = rollup;
        this.quotas = quotas;
        this.changes = changes;
        this.transaction = transaction;
        this.settings = settings;
        this.clock = clock;
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
            case Lease.Spent spent -> changes.end(run, spent.next(), now).then(Mono.defer(() -> grantNext(machine)));
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
                        : changes.end(run, over, now));
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
        return changes.write(run, next, now).thenReturn(!next.equals(run.lease()));
    }

    /** No numbers are made of it as a whole: these need its matrix. Trials that ended have theirs. */
    private Mono<Void> endUnreadable(RunStore.Locked run, Instant now) {
        return changes.stop(run, run.lease().unreadable(), now)
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
}
