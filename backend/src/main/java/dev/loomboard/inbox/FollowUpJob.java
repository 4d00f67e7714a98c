package dev.loomboard.inbox;

import dev.loomboard.bisection.BisectionService;
import dev.loomboard.regression.ControlService;
import dev.loomboard.regression.RerunService;
import dev.loomboard.regression.ScreenService;
import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/**
 * Every minute, on one replica: hears follow-ups that are over, takes the next step of bisections, since people wait for them,
 * screens the runs that are over, follows up what is suspected, and sets what is confirmed beside controls.
 */
@DisallowConcurrentExecution
final class FollowUpJob implements Job {

    private static final Duration TIMEOUT = Duration.ofSeconds(50);

    private final RerunService reruns;
    private final BisectionService bisections;
    private final ScreenService screens;
    private final ControlService controls;

    FollowUpJob(RerunService reruns, BisectionService bisections, ScreenService screens, ControlService controls) {
        this.reruns = reruns;
        this.bisections = bisections;
        this.screens = screens;
        this.controls = controls;
    }

    @Override
    public void execute(JobExecutionContext context) {
        reruns.decide()
                .then(bisections.advance())
                .then(screens.screen())
                .then(reruns.followUp())
                .then(controls.look())
                .block(TIMEOUT);
    }
}
