package dev.loomboard.schedulepages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.RunState;
import dev.loomboard.schedule.PastFiring;
import dev.loomboard.schedule.SkipKind;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class NightCalendarTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z"); // a Thursday

    @Test
    void thirty_days_end_with_today_and_weeks_begin_on_monday() {
        NightCalendar calendar = NightCalendar.of(List.of(), NOW, BERLIN);
        List<NightCalendar.Day> days = days(calendar);
        assertThat(days).hasSize(35).first().extracting(NightCalendar.Day::date).isEqualTo(LocalDate.of(2026, 10, 26));
        List<NightCalendar.Day> within =
                days.stream().filter(NightCalendar.Day::within).toList();
        assertThat(within).hasSize(30);
        assertThat(within.getFirst().date()).isEqualTo(LocalDate.of(2026, 10, 28));
        assertThat(within.getLast().date()).isEqualTo(LocalDate.of(2026, 11, 26));
        assertThat(NightCalendar.since(NOW, BERLIN)).isEqualTo(Instant.parse("2026-10-27T23:00:00Z"));
    }

    @Test
    void firing_is_on_the_day_of_its_own_zone() {
        PastFiring late = firing("2026-11-20T23:30:00Z", "run_a", null);
        NightCalendar calendar = NightCalendar.of(List.of(late), NOW, BERLIN);
        assertThat(day(calendar, 21).firings()).containsExactly(late);
        assertThat(day(calendar, 20).firings()).isEmpty();
    }

    @Test
    void few_firings_are_shown_and_many_counted() {
        List<PastFiring> firings = List.of(
                firing("2026-11-25T10:00:00Z", null, "Nothing new."),
                firing("2026-11-25T08:00:00Z", "run_a", null),
                firing("2026-11-25T09:00:00Z", "run_b", null),
                firing("2026-11-24T09:00:00Z", "run_c", null));
        NightCalendar calendar = NightCalendar.of(firings, NOW, BERLIN);
        assertThat(day(calendar, 25).few()).isFalse();
        assertThat(day(calendar, 25).counts()).isEqualTo("2 done, 1 skipped");
        assertThat(day(calendar, 24).few()).isTrue();
    }

    @Test
    void run_says_how_long_it_took() {
        assertThat(firing("2026-11-24T09:00:00Z", "run_c", null).took()).contains("40");
        assertThat(firing("2026-11-24T09:00:00Z", null, "Nothing new.").took()).isNull();
    }

    private static PastFiring firing(String at, @Nullable String run, @Nullable String reason) {
        Instant fired = Instant.parse(at);
        return new PastFiring(
                fired,
                false,
                run,
                run == null ? null : RunState.DONE,
                run == null ? SkipKind.NOTHING_NEW : null,
                reason,
                null,
                null,
                run == null ? null : fired,
                run == null ? null : fired.plusSeconds(2400));
    }

    private static NightCalendar.Day day(NightCalendar calendar, int ofNovember) {
        return days(calendar).stream()
                .filter(day -> day.date().equals(LocalDate.of(2026, 11, ofNovember)))
                .findFirst()
                .orElseThrow();
    }

    private static List<NightCalendar.Day> days(NightCalendar calendar) {
        return calendar.weeks().stream().flatMap(week -> week.days().stream()).toList();
    }
}
