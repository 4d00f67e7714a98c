package dev.loomboard.cron;

import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A change of the clocks that a schedule would fire in.
 *
 * @param skipped true: the times do not exist on that day, and nothing fires; false: they come twice, and the second
 *     fires
 * @param times the local times concerned, the first few
 */
record ClockChange(LocalDate day, LocalTime from, LocalTime to, boolean skipped, List<LocalTime> times) {

    ClockChange {
        times = List.copyOf(times);
    }

    String words() {
        String at = times.stream().map(LocalTime::toString).collect(Collectors.joining(", "));
        String turn = "On " + day + " the clocks go from " + from + " to " + to + ": ";
        return skipped
                ? turn + at + " does not exist, so nothing fires then."
                : turn + at + " comes twice, and fires the second time only.";
    }
}
