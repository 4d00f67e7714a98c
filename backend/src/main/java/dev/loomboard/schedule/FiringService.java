package dev.loomboard.schedule;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.cron.CronService;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.kernel.Caller;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.matrix.MatrixStore;
import dev.loomboard.run.CreateResult;
import dev.loomboard.run.NewRun;
import dev.loomboard.run.RunService;
import dev.loomboard.run.RunStop;
import dev.loomboard.view.Sentence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Fires a schedule: exactly one run, or one reason, per schedule and fire time. The row is locked, the run made and the
 * firing noted in one transaction, so a crash leaves either all of it or nothing, and nothing is then made up for by
 * Quartz's recovery or by {@link ReconcileService}.
 */
@Service
public class FiringService {

    private static final Logger LOG = LoggerFactory.getLogger(FiringService.class);

    /** How many missed firings are noted, the newest: a month of nights. */
    private static final int MISSED = 31;

    private final ScheduleStore schedules;
    private final FiringStore firings;
    private final MatrixStore matrices;
    private final MachineStore machines;
    private final RunService runs;
    private final CronService crons;
    private final ScheduleControlService controls;
    private final NewBuildService builds;
    private final BackfillService backfills;
    private final AuditStore audit;
    private final TransactionalOperator transaction;

    FiringService(
            ScheduleStore schedules,
            FiringStore firings,
            MatrixStore matrices,
            MachineStore machines,
            RunService runs,
            CronService crons,
            ScheduleControlService controls,
            NewBuildService builds,
            BackfillService backfills,
            AuditStore audit,
            TransactionalOperator transaction) {
        this.schedules = schedules;
        this.firings = firings;
        this.matrices = matrices;
        this.machines = machines;
        this.runs = runs;
        this.crons = crons;
        this.controls = controls;
        this.builds = builds;
        this.backfills = backfills;
        this.audit = audit;
        this.transaction = transaction;
    }

    /**
     * Fires for the newest time of the schedule that is not after {@code scheduledFor}; harmless when that has fired.
     *
     * @param id external id of the schedule
     */
    Mono<Firing> fire(String id, Instant scheduledFor) {
        return schedules
                .lock(id)
                .flatMap(schedule -> Mono.justOrEmpty(crons.latest(
                                schedule.times().cron(), schedule.times().zoneId(), scheduledFor))
                        .filter(at -> FiringRules.counts(schedule, at))
                        .filterWhen(at -> firings.exists(schedule.key(), at).map(fired -> !fired))
                        .flatMap(at -> noteMissed(schedule, at)
                                .then(start(schedule, schedule.id(), at))
                                .flatMap(firing -> record(schedule, at, firing))))
                .defaultIfEmpty(new Firing.NotDue())
                .as(transaction::transactional)
                .doOnNext(firing -> log(id, scheduledFor, firing));
    }

    /** A run because somebody asks for it. It is no firing: no time of the schedule is used up. */
    public Mono<Firing> runNow(String id, Caller caller) {
        return schedules
                .lock(id)
                .flatMap(schedule -> start(schedule, caller.actor(), null)
                        .flatMap(firing -> audited(schedule, caller.actor(), "schedule.run", firing)
                                .thenReturn(firing)))
                .defaultIfEmpty(new Firing.NotDue())
                .as(transaction::transactional);
    }

    /** @param due null: somebody asks for it, whatever is new */
    private Mono<Firing> start(Schedule schedule, String createdBy, @Nullable Instant due) {
        return firings.open(schedule.key()).collectList().flatMap(open -> {
            Optional<Firing.Skipped> obstacle = FiringRules.obstacle(schedule, open, due != null);
            if (obstacle.isPresent()) {
                return Mono.just(obstacle.get());
            }
            return due == null
                    ? queue(schedule, createdBy, null)
                    : missedOrNew(schedule, createdBy).flatMap(firing -> inPlaceOf(open, schedule, due, firing));
        });
    }

    /** Ends the runs that a new one takes the place of. */
    private Mono<Firing> inPlaceOf(List<FiringRules.OpenRun> open, Schedule schedule, Instant due, Firing firing) {
        if (schedule.rules().overlap() != Overlap.STOP || !(firing instanceof Firing.Queued queued)) {
            return Mono.just(firing);
        }
        RunStop why = new RunStop(
                RunStop.Kind.OVERLAP,
                "Stopped for the firing of " + FiringRules.local(schedule, due) + ", as its schedule says");
        return Flux.fromIterable(open)
                .filterWhen(run -> runs.stop(schedule.id(), run.run(), why), 1)
                .collectList()
                .map(stopped -> new Firing.Queued(queued.run(), FiringRules.stopped(stopped), queued.backfill()));
    }

    private Mono<Firing> missedOrNew(Schedule schedule, String createdBy) {
        return matrices.byKey(schedule.matrix().key())
                .flatMap(matrix -> backfills
                        .next(schedule, matrix.spec())
                        .flatMap(missed -> missed.isPresent()
                                ? queue(schedule, createdBy, missed.get())
                                : unlessNothingNew(schedule, matrix.spec(), createdBy)));
    }

    private Mono<Firing> unlessNothingNew(Schedule schedule, MatrixSpec spec, String createdBy) {
        return builds.nothingNew(schedule, spec)
                .flatMap(reason -> reason.isPresent()
                        ? Mono.just(new Firing.Skipped(SkipKind.NOTHING_NEW, reason.get()))
                        : queue(schedule, createdBy, null));
    }

    private Mono<Firing> queue(Schedule schedule, String createdBy, @Nullable Backfill missed) {
        return Mono.zip(
                        matrices.byKey(schedule.matrix().key()),
                        machines.ofWorkspace(
                                schedule.workspaceKey(), schedule.machine().slug()))
                .flatMap(both -> controls.atFiring(schedule, both.getT1().spec())
                        .map(control -> new NewRun(
                                        both.getT1(),
                                        both.getT2(),
                                        missed == null ? schedule.jdks() : missed.selectors(),
                                        schedule.key().value(),
                                        createdBy)
                                .withControl(control.map(JdkBuild::key).orElse(null))))
                .flatMap(runs::create)
                .map(result -> switch (result) {
                    case CreateResult.Created created ->
                        new Firing.Queued(created.id(), null, missed == null ? null : missed.build());
                    case CreateResult.Refused refused ->
                        new Firing.Skipped(SkipKind.REFUSED, Sentence.of(refused.reason()));
                });
    }

    private Mono<Firing> record(Schedule schedule, Instant at, Firing firing) {
        Mono<Void> row = switch (firing) {
            case Firing.Queued queued -> firings.queued(schedule.key(), at, queued);
            case Firing.Skipped skipped -> firings.skipped(schedule.key(), List.of(at), skipped);
            case Firing.NotDue nothing -> Mono.empty();
        };
        return row.then(audited(schedule, schedule.id(), "schedule.fire", firing))
                .thenReturn(firing);
    }

    /** What lies between the last firing on record and this one was missed. */
    private Mono<Void> noteMissed(Schedule schedule, Instant at) {
        return firings.last(schedule.key()).flatMap(last -> {
            List<Instant> before =
                    crons.lastUntil(schedule.times().cron(), schedule.times().zoneId(), at.minusSeconds(1), MISSED);
            List<Instant> missed = FiringRules.missed(before, schedule, last.orElse(null));
            return missed.isEmpty()
                    ? Mono.<Void>empty()
                    : firings.skipped(schedule.key(), missed, new Firing.Skipped(SkipKind.MISSED, FiringRules.MISSED));
        });
    }

    private Mono<Void> audited(Schedule schedule, String actor, String action, Firing firing) {
        Map<String, String> detail = switch (firing) {
            case Firing.Queued queued -> Map.of("run", queued.run());
            case Firing.Skipped skipped -> Map.of("skipped", skipped.reason());
            case Firing.NotDue nothing -> Map.of();
        };
        return audit.append(new AuditEvent(schedule.workspaceKey(), actor, action, schedule.id(), detail));
    }

    private static void log(String schedule, Instant at, Firing firing) {
        switch (firing) {
            case Firing.Queued queued -> LOG.info("schedule {} fired for {}: {}", schedule, at, queued.run());
            case Firing.Skipped skipped -> LOG.info("schedule {} skipped {}: {}", schedule, at, skipped.reason());
            case Firing.NotDue nothing -> LOG.debug("schedule {} had nothing to fire for {}", schedule, at);
        }
    }
}
