package dev.loomboard.schedule;

import dev.loomboard.cron.CronService;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Mends what went astray between the schedules and Quartz: triggers that are lost, left over or out of date, and
 * firings that nobody made because no replica ran, a database was away, or Quartz's rows were gone. Of several missed
 * firings of a schedule the newest is made up for, the others are noted as missed.
 */
@Service
class ReconcileService {

    private static final Logger LOG = LoggerFactory.getLogger(ReconcileService.class);

    /** Quartz has this long to fire by itself. */
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final ScheduleStore schedules;
    private final TriggerService triggers;
    private final FiringService firings;
    private final FiringStore past;
    private final CronService crons;
    private final Clock clock;

    ReconcileService(
            ScheduleStore schedules,
            TriggerService triggers,
            FiringService firings,
            FiringStore past,
            CronService crons,
            Clock clock) {
        this.schedules = schedules;
        this.triggers = triggers;
        this.firings = firings;
        this.past = past;
        this.crons = crons;
        this.clock = clock;
    }

    /** Every schedule; one that fails is logged and does not keep the others from being mended. */
    Mono<Void> all() {
        // Quartz first: a job that is there has had its row, so one without a row is left over and not just new.
        return triggers.known()
                .flatMap(known -> schedules
                        .all()
                        .collectList()
                        .flatMap(rows -> removeOthers(known, rows)
                                .thenMany(Flux.fromIterable(rows))
                                .concatMap(schedule -> one(schedule.id()).onErrorResume(e -> {
                                    LOG.error(
                                            "schedule {} of workspace {} could not be reconciled",
                                            schedule.slug(),
                                            schedule.workspace(),
                                            e);
                                    return Mono.empty();
                                }))
                                .then()));
    }

    /** Read again, because it may have changed since the list was read. */
    private Mono<Void> one(String id) {
        return schedules
                .byId(id)
                .flatMap(schedule -> triggers.align(schedule)
                        .doOnNext(changed -> log(changed, schedule))
                        .then(makeUp(schedule)));
    }

    private Mono<Void> makeUp(Schedule schedule) {
        Instant due = clock.instant().minus(GRACE);
        return Mono.justOrEmpty(
                        crons.latest(schedule.times().cron(), schedule.times().zoneId(), due))
                .filter(at -> FiringRules.counts(schedule, at))
                .filterWhen(at -> past.exists(schedule.key(), at).map(fired -> !fired))
                .flatMap(at -> firings.fire(schedule.id(), at))
                .then();
    }

    private Mono<Void> removeOthers(Set<String> known, List<Schedule> rows) {
        Set<String> wanted = rows.stream().map(Schedule::id).collect(Collectors.toSet());
        return Flux.fromIterable(known)
                .filter(id -> !wanted.contains(id))
                .concatMap(triggers::remove)
                .then();
    }

    private static void log(boolean changed, Schedule schedule) {
        if (changed) {
            LOG.info("the trigger of schedule {} of workspace {} was mended", schedule.slug(), schedule.workspace());
        }
    }
}
