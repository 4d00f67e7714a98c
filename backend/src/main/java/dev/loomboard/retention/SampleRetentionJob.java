package dev.loomboard.retention;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Each night, on one replica: raw samples that are old. */
@DisallowConcurrentExecution
class SampleRetentionJob implements Job {

    private static final Duration TIMEOUT = RetentionService.LONGEST.plusMinutes(5);

    private final RetentionService retention;

    SampleRetentionJob(RetentionService retention) {
        this.retention = retention;
    }

    @Override
    public void execute(JobExecutionContext context) {
        retention.removeOld().block(TIMEOUT);
    }
}
