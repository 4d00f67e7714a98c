package dev.loomboard.outbox;

import java.time.Duration;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Every quarter of a minute, on one replica: tells what has gathered, and sends what is due. */
@DisallowConcurrentExecution
final class OutboxJob implements Job {

    private static final Duration SENDING = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final OutboxService outbox;

    OutboxJob(OutboxService outbox) {
        this.outbox = outbox;
    }

    @Override
    public void execute(JobExecutionContext context) {
        outbox.tell().then(outbox.send(SENDING)).block(TIMEOUT);
    }
}
