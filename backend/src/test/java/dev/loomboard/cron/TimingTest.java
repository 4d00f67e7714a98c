package dev.loomboard.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.LocalTime;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class TimingTest {

    @Test
    void common_times_have_expressions_and_words() {
        Timing night = new Timing.Daily(LocalTime.of(2, 0));
        assertThat(night.cron()).isEqualTo("0 0 2 * * ?");
        assertThat(night.words()).isEqualTo("every night at 02:00");
        assertThat(new Timing.Daily(LocalTime.of(13, 5)).words()).isEqualTo("every day at 13:05");
        assertThat(new Timing.Hourly(0).words()).isEqualTo("every hour");
        assertThat(new Timing.Hourly(20).cron()).isEqualTo("0 20 * * * ?");
        Timing weekly = new Timing.Weekly(DayOfWeek.MONDAY, LocalTime.of(6, 0));
        assertThat(weekly.cron()).isEqualTo("0 0 6 ? * MON");
        assertThat(weekly.words()).isEqualTo("Mondays at 06:00");
    }

    @Property
    void expression_is_shown_again_as_it_was_chosen(
            @ForAll @IntRange(max = 23) int hour, @ForAll @IntRange(max = 59) int minute, @ForAll DayOfWeek day) {
        LocalTime at = LocalTime.of(hour, minute);
        for (Timing timing :
                new Timing[] {new Timing.Daily(at), new Timing.Hourly(minute), new Timing.Weekly(day, at)}) {
            assertThat(Timing.of(timing.cron())).isEqualTo(timing);
            assertThat(new CronService().problem(timing.cron(), java.time.Instant.EPOCH))
                    .isNull();
        }
    }

    @Test
    void other_expressions_stay_what_they_are() {
        for (String cron :
                new String[] {"0 0/15 * * * ?", "5 0 2 * * ?", "0 0 2 ? * MON-FRI", "0 0 * ? * MON", "0 0 2 1 * ?"}) {
            assertThat(Timing.of(cron)).isEqualTo(new Timing.Custom(cron));
        }
    }
}
