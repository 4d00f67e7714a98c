package dev.loomboard.schedulepages;

import dev.loomboard.cron.FireTime;
import dev.loomboard.cron.Preview;
import dev.loomboard.schedule.ControlView;
import dev.loomboard.schedule.PastFiring;
import dev.loomboard.schedule.Schedule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as its page and its JSON twin show it.
 *
 * @param preview its next firings as if it were active
 * @param past newest first
 */
public record ScheduleView(Schedule schedule, Preview preview, List<PastFiring> past, ControlView control) {

    public ScheduleView {
        past = List.copyOf(past);
    }

    /**
     * A line of the list.
     *
     * @param next null: it is paused, or never fires again
     * @param last null: it has not fired yet
     */
    public record Line(
            Schedule schedule,
            @Nullable FireTime next,
            @Nullable PastFiring last) {}
}
