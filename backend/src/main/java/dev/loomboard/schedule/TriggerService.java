package dev.loomboard.schedule;

import dev.loomboard.cron.CronService;
import java.time.Clock;
import java.util.Date;
import java.util.Set;
import java.util.TimeZone;
import java.util.stream.Collectors;
import org.quartz.CronScheduleBuilder;
import org.quartz.CronTrigger;
import org.quartz.JobBuilder;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.matchers.GroupMatcher;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Makes Quartz's triggers what the schedules say. A job and a trigger per active schedule, both named by its external
 * id; none for a paused one. Quartz speaks JDBC and waits, so all of it runs off the threads that serve requests.
 */
@Service
public class TriggerService {

    static final String GROUP = "schedule";

    private final Scheduler quartz;
    private final CronService crons;
    private final Clock clock;

    TriggerService(Scheduler quartz, CronService crons, Clock clock) {
        this.quartz = quartz;
        this.crons = crons;
        this.clock = clock;
    }

    /** Ids of the schedules that Quartz knows of. */
    Mono<Set<String>> known() {
        return offThread(() -> quartz.getJobKeys(GroupMatcher.jobGroupEquals(GROUP)).stream()
                .map(JobKey::getName)
                .collect(Collectors.toUnmodifiableSet()));
    }

    /** True when something had to be changed. */
    public Mono<Boolean> align(Schedule schedule) {
        return offThread(() ->
                schedule.active() && firesAgain(schedule) ? ensure(schedule) : quartz.deleteJob(job(schedule.id())));
    }

    public Mono<Boolean> remove(String id) {
        return offThread(() -> quartz.deleteJob(job(id)));
    }

    /** Quartz refuses a trigger that will never fire, and forgets one that has fired for the last time. */
    private boolean firesAgain(Schedule schedule) {
        return !crons.next(schedule.times().cron(), schedule.times().zoneId(), clock.instant(), 1)
                .isEmpty();
    }

    private boolean ensure(Schedule schedule) throws SchedulerException {
        TriggerKey key = TriggerKey.triggerKey(schedule.id(), GROUP);
        if (quartz.getTrigger(key) instanceof CronTrigger existing && agrees(existing, schedule)) {
            boolean stuck = quartz.getTriggerState(key) == Trigger.TriggerState.ERROR;
            if (stuck) {
                quartz.resetTriggerFromErrorState(key);
            }
            return stuck;
        }
        // Replacing job and trigger together: neither can be left without the other.
        quartz.scheduleJob(
                JobBuilder.newJob(FiringJob.class)
                        .withIdentity(job(schedule.id()))
                        .requestRecovery() // a node that dies while firing is replaced by another
                        .build(),
                Set.of(trigger(key, schedule)),
                true);
        return true;
    }

    private static boolean agrees(CronTrigger existing, Schedule schedule) {
        return existing.getCronExpression().equals(schedule.times().cron())
                && existing.getTimeZone().getID().equals(schedule.times().zone());
    }

    /**
     * It begins now, and a firing that is more than a minute late is left out by Quartz: what was missed is made up for
     * by {@link ReconcileService}, from the rows, so that one place decides.
     */
    private static Trigger trigger(TriggerKey key, Schedule schedule) {
        return TriggerBuilder.newTrigger()
                .withIdentity(key)
                .startAt(new Date())
                .withSchedule(CronScheduleBuilder.cronSchedule(schedule.times().cron())
                        .inTimeZone(TimeZone.getTimeZone(schedule.times().zoneId()))
                        .withMisfireHandlingInstructionDoNothing())
                .build();
    }

    private static JobKey job(String id) {
        return JobKey.jobKey(id, GROUP);
    }

    private static <T> Mono<T> offThread(java.util.concurrent.Callable<T> work) {
        return Mono.fromCallable(work).subscribeOn(Schedulers.boundedElastic());
    }
}
