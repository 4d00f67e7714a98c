package dev.loomboard.schedulepages;

import dev.loomboard.web.Page;
import java.time.Instant;
import java.util.List;

/** Every schedule that the caller may see. */
public record ScheduleListPage(List<ScheduleView.Line> lines, Instant now) implements Page {
    public ScheduleListPage {
        lines = List.copyOf(lines);
    }

    /** Those that have an alarm. */
    public List<ScheduleView.Line> missing() {
        return lines.stream().filter(line -> line.missing() != null).toList();
    }

    @Override
    public String template() {
        return "schedule/schedules.jte";
    }
}
