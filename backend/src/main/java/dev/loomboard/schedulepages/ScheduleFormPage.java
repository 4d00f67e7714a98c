package dev.loomboard.schedulepages;

import dev.loomboard.cron.Preview;
import dev.loomboard.cron.Zones;
import dev.loomboard.schedule.NightForecast;
import dev.loomboard.schedule.Overlap;
import dev.loomboard.schedule.Schedule;
import dev.loomboard.web.Page;
import dev.loomboard.web.Urls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A new schedule, or one to be changed.
 *
 * @param night what a firing would run; null: no matrix and machine are chosen yet
 * @param schedule null: a new one
 */
public record ScheduleFormPage(
        ScheduleForm form,
        FormOptions options,
        Preview preview,
        @Nullable NightForecast night,
        @Nullable Schedule schedule)
        implements Page {
    @Override
    public String template() {
        return "schedule/form.jte";
    }

    public String title() {
        return schedule == null ? "New schedule" : "Change " + schedule.title();
    }

    /** Where the form is sent: to its own address. */
    public String action() {
        return schedule == null ? Urls.newSchedule() : Urls.editSchedule(schedule.workspace(), schedule.slug());
    }

    public String cancel() {
        return schedule == null ? Urls.schedules() : Urls.schedule(schedule.workspace(), schedule.slug());
    }

    /** The id of a field's message, where it has one: what the field is described by. */
    public @Nullable String describedBy(String field) {
        return form.problem(field) == null ? null : field + "-problem";
    }

    public @Nullable String invalid(String field) {
        return form.problem(field) == null ? null : "true";
    }

    public List<Overlap> overlaps() {
        return List.of(Overlap.values());
    }

    public List<String> zones() {
        return Zones.OFFERED;
    }
}
