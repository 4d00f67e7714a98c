package dev.loomboard.schedule;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Runs {@link ReconcileService} at start and every minute, on one replica at a time. */
@DisallowConcurrentExecution
final class ReconcileJob implements Job {

    private static final Duration TIMEOUT = Duration.ofSeconds(50);

    private final ReconcileService reconcile;

    ReconcileJob(ReconcileService reconcile) {
        this.reconcile = reconcile;
    }

    @Override
    public void execute(JobExecutionContext context) {
        reconcile.all().block(TIMEOUT);
    }
}
