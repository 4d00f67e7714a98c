package dev.loomboard.regression;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Every minute, on one replica: hears reruns that are over, and follows up what is suspected. */
@DisallowConcurrentExecution
final class RerunJob implements Job {

    private static final Duration TIMEOUT = Duration.ofSeconds(50);

    private final RerunService reruns;

    RerunJob(RerunService reruns) {
        this.reruns = reruns;
    }

    @Override
    public void execute(JobExecutionContext context) {
        reruns.decide().then(reruns.followUp()).block(TIMEOUT);
    }
}
