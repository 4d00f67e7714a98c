package dev.loomboard.run;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Every minute, on one replica: what has become of runs whose agents are silent. */
@DisallowConcurrentExecution
class LeaseExpiryJob implements Job {

    private static final Duration TIMEOUT = Duration.ofSeconds(50);

    private final LeaseService leases;

    LeaseExpiryJob(LeaseService leases) {
        this.leases = leases;
    }

    @Override
    public void execute(JobExecutionContext context) {
        leases.expire().block(TIMEOUT);
    }
}
