package dev.loomboard.schedulepages;

import dev.loomboard.cron.FireTime;
import dev.loomboard.schedule.Schedule;
import dev.loomboard.web.Page;
import dev.loomboard.web.Urls;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One schedule.
 *
 * @param mayChange whether the caller owns it
 * @param refusal why what was asked for was not done; null: nothing was, or it was done
 */
public record SchedulePage(
        ScheduleView view,
        Instant now,
        boolean mayChange,
        @Nullable String refusal) implements Page {
    @Override
    public String template() {
        return "schedule/schedule.jte";
    }

    public Schedule schedule() {
        return view.schedule();
    }

    public FireTime local(Instant at) {
        return FireTime.of(at, schedule().times().zoneId());
    }

    /** Path of a change: pause, resume, run, control or delete. */
    public String action(String name) {
        return Urls.scheduleAction(schedule().workspace(), schedule().slug(), name);
    }
}
