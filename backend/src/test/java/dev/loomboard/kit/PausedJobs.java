package dev.loomboard.kit;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerKey;
import org.springframework.r2dbc.core.DatabaseClient;

/** Jobs of the service that would do what a test does, and do not until it is closed. */
public final class PausedJobs implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final String GROUP = "service";

    private final Service service;
    private final Scheduler quartz;
    private final List<String> triggers;

    /** Returns when none of them is being executed. */
    public PausedJobs(Service service, String... triggers) {
        this.service = service;
        this.quartz = service.bean(Scheduler.class);
        this.triggers = List.of(triggers);
        try {
            for (String trigger : triggers) {
                quartz.pauseTrigger(TriggerKey.triggerKey(trigger, GROUP));
            }
        } catch (SchedulerException e) {
            throw new AssertionError(e);
        }
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (executing()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("one of these goes on and on: " + this.triggers);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** By Quartz's own rows: its list of what is executed does not have what was fired a moment ago. */
    private boolean executing() {
        return Objects.requireNonNull(service.bean(DatabaseClient.class)
                .sql(
                        "select exists (select from qrtz_fired_triggers where trigger_group = :group and trigger_name = any(:names)"
                                + " and state = 'EXECUTING')")
                .bind("group", GROUP)
                .bind("names", triggers.toArray(String[]::new))
                .map(row -> Objects.requireNonNull(row.get(0, Boolean.class)))
                .one()
                .block(LONGEST));
    }

    @Override
    public void close() {
        try {
            for (String trigger : triggers) {
                quartz.resumeTrigger(TriggerKey.triggerKey(trigger, GROUP));
            }
        } catch (SchedulerException e) {
            throw new AssertionError(e);
        }
    }
}
