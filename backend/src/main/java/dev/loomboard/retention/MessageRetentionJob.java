package dev.loomboard.retention;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Each night, on one replica: messages that were sent or given up long ago. */
@DisallowConcurrentExecution
class MessageRetentionJob implements Job {

    private static final Duration TIMEOUT = MessageRetentionService.LONGEST.plusMinutes(5);

    private final MessageRetentionService retention;

    MessageRetentionJob(MessageRetentionService retention) {
        this.retention = retention;
    }

    @Override
    public void execute(JobExecutionContext context) {
        retention.removeOld().block(TIMEOUT);
    }
}
