package dev.loomboard.schedule;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import reactor.core.publisher.Flux;

/** Runs {@link ReconcileService} and {@link LongRunService} at start and every minute, on one replica at a time. */
@DisallowConcurrentExecution
final class ReconcileJob implements Job {

    private static final Duration TIMEOUT = Duration.ofSeconds(50);

    private final ReconcileService reconcile;
    private final LongRunService longRuns;

    ReconcileJob(ReconcileService reconcile, LongRunService longRuns) {
        this.reconcile = reconcile;
        this.longRuns = longRuns;
    }

    @Override
    public void execute(JobExecutionContext context) {
        Flux.concatDelayError(reconcile.all(), longRuns.stop()).then().block(TIMEOUT);
    }
}
