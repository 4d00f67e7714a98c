package dev.loomboard.schedulepages;

import dev.loomboard.schedule.PastFiring;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A schedule's firings of the last nights, by week and day of its own zone.
 *
 * @param weeks oldest first, each from Monday to Sunday
 */
public record NightCalendar(List<Week> weeks) {

    static final int NIGHTS = 30;

    /** More of a day are counted. */
    private static final int SHOWN = 2;

    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH);
    private static final DateTimeFormatter WEEKDAY = DateTimeFormatter.ofPattern("EEE", Locale.ENGLISH);

    public NightCalendar {
        weeks = List.copyOf(weeks);
    }

    public record Week(List<Day> days) {
        public Week {
            days = List.copyOf(days);
        }
    }

    /**
     * @param within one of the nights; false: it only fills the week
     * @param firings in their order
     */
    public record Day(LocalDate date, boolean within, List<PastFiring> firings) {
        public Day {
            firings = List.copyOf(firings);
        }

        public String label() {
            return DAY.format(date);
        }

        public String weekday() {
            return WEEKDAY.format(date);
        }

        /** Whether each is shown; else they are counted. */
        public boolean few() {
            return firings.size() <= SHOWN;
        }

        /** "20 done, 3 skipped". */
        public String counts() {
            Map<String, Long> counts = firings.stream()
                    .collect(Collectors.groupingBy(PastFiring::word, LinkedHashMap::new, Collectors.counting()));
            return counts.entrySet().stream()
                    .map(e -> e.getValue() + " " + e.getKey())
                    .collect(Collectors.joining(", "));
        }
    }

    /** Whether it fired in none of the nights. */
    public boolean isEmpty() {
        return weeks.stream()
                .flatMap(week -> week.days().stream())
                .allMatch(day -> day.firings().isEmpty());
    }

    /** The time from which firings are needed. */
    static Instant since(Instant now, ZoneId zone) {
        return first(now, zone).atStartOfDay(zone).toInstant();
    }

    /** @param firings in any order; those before {@link #since} are left out */
    static NightCalendar of(List<PastFiring> firings, Instant now, ZoneId zone) {
        Map<LocalDate, List<PastFiring>> byDay = firings.stream()
                .sorted((a, b) -> a.at().compareTo(b.at()))
                .collect(Collectors.groupingBy(f -> f.at().atZone(zone).toLocalDate()));
        LocalDate first = first(now, zone);
        LocalDate last = first.plusDays(NIGHTS - 1);
        List<Week> weeks = new ArrayList<>();
        for (LocalDate monday = first.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                !monday.isAfter(last);
                monday = monday.plusWeeks(1)) {
            weeks.add(new Week(monday.datesUntil(monday.plusWeeks(1))
                    .map(date -> day(date, first, last, byDay))
                    .toList()));
        }
        return new NightCalendar(weeks);
    }

    private static Day day(LocalDate date, LocalDate first, LocalDate last, Map<LocalDate, List<PastFiring>> byDay) {
        boolean within = !date.isBefore(first) && !date.isAfter(last);
        return new Day(date, within, within ? byDay.getOrDefault(date, List.of()) : List.of());
    }

    private static LocalDate first(Instant now, ZoneId zone) {
        return now.atZone(zone).toLocalDate().minusDays(NIGHTS - 1L);
    }
}
