package dev.loomboard.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.Service;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.quartz.CronTrigger;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerKey;
import org.springframework.boot.quartz.autoconfigure.QuartzProperties;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;

/** The service's own scheduler and a second one, as a second replica has it, on one database. */
@OneAtATime
final class QuartzTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Service service = Service.shared();
    private final Scheduler quartz = service.bean(Scheduler.class);
    private final ReconcileService reconcile = service.bean(ReconcileService.class);
    private final ScheduleRows rows = new ScheduleRows(service, "private");

    @Test
    void two_schedulers_fire_each_time_once() throws Exception {
        String id = rows.schedule("* * * * * ?", "UTC", Instant.now());
        SchedulerFactoryBean second = replica("second");
        try {
            reconcileAll();
            await("four firings that made a run", () -> {
                rows.endRuns(id);
                return rows.firings(id, "queued") >= 4;
            });
        } finally {
            rows.execute("update schedule set state = 'paused' where external_id = '" + id + "'");
            reconcileAll();
            second.destroy();
        }
        // A firing under way when the schedule was paused is done once its job is gone from Quartz's books.
        await(
                "no firing under way",
                () -> rows.number("select count(*) from qrtz_fired_triggers where job_name = '" + id + "'") == 0);
        assertThat(rows.runs(id)).isEqualTo(rows.firings(id, "queued"));
        assertThat(rows.number("select count(*) from run r join schedule_firing f using (run_id) where r.created_by = '"
                        + id + "'"))
                .isEqualTo(rows.runs(id));
        assertThat(quartz.checkExists(job(id))).as("the paused schedule's job").isFalse();
    }

    @Test
    void firing_of_a_replica_that_died_is_recovered_by_another() throws Exception {
        ZonedDateTime justNow = ZonedDateTime.now(ZoneOffset.UTC)
                .truncatedTo(ChronoUnit.SECONDS)
                .minusSeconds(1);
        String daily = justNow.getSecond() + " " + justNow.getMinute() + " " + justNow.getHour() + " * * ?";
        String id = rows.schedule(daily, "UTC", justNow.toInstant().minusSeconds(60));
        Schedule schedule = Objects.requireNonNull(
                service.bean(ScheduleStore.class).byId(id).block(ScheduleRows.TIMEOUT));
        service.bean(TriggerService.class).align(schedule).block(ScheduleRows.TIMEOUT);
        long due = justNow.toInstant().toEpochMilli();
        rows.execute(
                "insert into qrtz_fired_triggers (sched_name, entry_id, trigger_name, trigger_group, instance_name,"
                        + " fired_time, sched_time, priority, state, job_name, job_group, is_nonconcurrent, requests_recovery)"
                        + " select sched_name, 'dead-' || trigger_name, trigger_name, trigger_group, 'dead', " + due
                        + ", " + due
                        + ", 5, 'EXECUTING', job_name, job_group, true, (select requests_recovery from qrtz_job_details j"
                        + " where j.sched_name = t.sched_name and j.job_name = t.job_name and j.job_group = t.job_group)"
                        + " from qrtz_triggers t where trigger_name = '" + id + "'");
        SchedulerFactoryBean second = replica("third"); // its first look finds the dead one's firing
        try {
            await("the recovered firing", () -> rows.firings(id, "queued") == 1);
        } finally {
            second.destroy();
        }
        assertThat(rows.lastQueued(id)).isEqualTo(justNow.toInstant());
        assertThat(rows.runs(id)).isEqualTo(1);
    }

    @Test
    void triggers_are_mended_from_the_rows() throws Exception {
        String id = rows.schedule("0 0 2 * * ?", "Europe/Berlin", Instant.now());
        reconcileAll();
        CronTrigger trigger = trigger(id);
        assertThat(trigger.getCronExpression()).isEqualTo("0 0 2 * * ?");
        assertThat(trigger.getTimeZone().getID()).isEqualTo("Europe/Berlin");

        quartz.deleteJob(job(id));
        reconcileAll();
        assertThat(trigger(id).getNextFireTime()).as("a lost trigger").isEqualTo(trigger.getNextFireTime());

        rows.execute("update schedule set cron = '0 0 3 * * ?' where external_id = '" + id + "'");
        reconcileAll();
        assertThat(trigger(id).getCronExpression()).as("an outdated trigger").isEqualTo("0 0 3 * * ?");

        quartz.addJob(
                JobBuilder.newJob(FiringJob.class)
                        .withIdentity(job("sch_nobody"))
                        .storeDurably()
                        .build(),
                true);
        reconcileAll();
        assertThat(quartz.checkExists(job("sch_nobody")))
                .as("a job without a schedule")
                .isFalse();

        rows.execute("update schedule set cron = '0 0 2 * * ? 2020' where external_id = '" + id + "'");
        reconcileAll();
        assertThat(quartz.checkExists(job(id)))
                .as("a schedule that never fires again")
                .isFalse();
    }

    private CronTrigger trigger(String id) throws SchedulerException {
        return (CronTrigger) quartz.getTrigger(TriggerKey.triggerKey(id, TriggerService.GROUP));
    }

    private static JobKey job(String id) {
        return JobKey.jobKey(id, TriggerService.GROUP);
    }

    private void reconcileAll() {
        reconcile.all().block(ScheduleRows.TIMEOUT);
    }

    private SchedulerFactoryBean replica(String name) throws Exception {
        Properties properties = new Properties();
        properties.putAll(service.bean(QuartzProperties.class).getProperties());
        properties.put("org.quartz.scheduler.instanceId", name);
        SchedulerFactoryBean factory = new SchedulerFactoryBean();
        factory.setDataSource(service.bean(DataSource.class));
        factory.setQuartzProperties(properties);
        factory.setJobFactory((bundle, scheduler) ->
                (Job) service.create(bundle.getJobDetail().getJobClass()));
        factory.setWaitForJobsToCompleteOnShutdown(true);
        factory.setExposeSchedulerInRepository(false);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    private static void await(String what, BooleanSupplier reached) {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (!reached.getAsBoolean()) {
            assertThat(Instant.now()).as("waiting for " + what).isBefore(deadline);
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }
}
