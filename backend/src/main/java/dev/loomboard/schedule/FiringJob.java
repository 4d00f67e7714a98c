package dev.loomboard.schedule;

import java.time.Duration;
import java.time.Instant;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;

/** One firing, as Quartz calls it. What it must not do twice is guarded by the rows, not by Quartz. */
@DisallowConcurrentExecution
final class FiringJob implements Job {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final FiringService firings;

    FiringJob(FiringService firings) {
        this.firings = firings;
    }

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        String schedule = context.getJobDetail().getKey().getName();
        try {
            firings.fire(schedule, scheduledFor(context)).block(TIMEOUT);
        } catch (RuntimeException e) {
            // Not fired again at once: the reconciliation makes up for it within a minute or two.
            throw new JobExecutionException("schedule " + schedule + " could not fire", e);
        }
    }

    /** A recovered firing keeps the time that it was meant for. */
    private static Instant scheduledFor(JobExecutionContext context) {
        if (context.isRecovering()) {
            String original = context.getMergedJobDataMap()
                    .getString(org.quartz.Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS);
            if (original != null) {
                return Instant.ofEpochMilli(Long.parseLong(original));
            }
        }
        return context.getScheduledFireTime().toInstant();
    }
}
