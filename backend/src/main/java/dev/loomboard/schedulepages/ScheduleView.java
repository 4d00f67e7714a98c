package dev.loomboard.schedulepages;

import dev.loomboard.alarm.MissingResult;
import dev.loomboard.cron.FireTime;
import dev.loomboard.cron.Preview;
import dev.loomboard.schedule.ControlView;
import dev.loomboard.schedule.NightForecast;
import dev.loomboard.schedule.PastFiring;
import dev.loomboard.schedule.Schedule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as its page and its JSON twin show it.
 *
 * @param preview its next firings as if it were active
 * @param past newest first
 * @param calendar the firings of the last nights
 * @param missing null: no alarm
 * @param night what a firing would run now; null: its matrix was stored by a version that this one does not understand
 */
public record ScheduleView(
        Schedule schedule,
        Preview preview,
        List<PastFiring> past,
        NightCalendar calendar,
        ControlView control,
        @Nullable MissingResult missing,
        @Nullable NightForecast night) {

    public ScheduleView {
        past = List.copyOf(past);
    }

    /**
     * A line of the list.
     *
     * @param next null: it is paused, or never fires again
     * @param last null: it has not fired yet
     * @param missing null: no alarm
     */
    public record Line(
            Schedule schedule,
            @Nullable FireTime next,
            @Nullable PastFiring last,
            @Nullable MissingResult missing) {}
}
