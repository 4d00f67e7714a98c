package dev.loomboard.run;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Every minute, on one replica: what has become of runs whose agents are silent. */
@DisallowConcurrentExecution
class LeaseExpiryJob implements Job {

    private static final Duration TIMEOUT = Duration.ofSeconds(50);

    private final RunService runs;

    LeaseExpiryJob(RunService runs) {
        this.runs = runs;
    }

    @Override
    public void execute(JobExecutionContext context) {
        runs.expire().block(TIMEOUT);
    }
}
