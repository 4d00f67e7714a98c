package dev.loomboard.alarm;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Begins and ends alarms at start and every minute, on one replica at a time. */
@DisallowConcurrentExecution
final class AlarmJob implements Job {

    private static final Duration TIMEOUT = Duration.ofSeconds(50);

    private final AlarmService alarms;

    AlarmJob(AlarmService alarms) {
        this.alarms = alarms;
    }

    @Override
    public void execute(JobExecutionContext context) {
        alarms.begin().then().block(TIMEOUT);
    }
}
