package dev.loomboard.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.outbox.MailTimes.QuietHours;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In Berlin 2026-03-29 has no 02:00 to 03:00, and 2026-10-25 has it twice. */
final class MailTimesTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @CsvSource({
        // winter: an hour before UTC
        "22:00, 07:00, 2026-01-10T20:59:00Z, 2026-01-10T20:59:00Z",
        "22:00, 07:00, 2026-01-10T21:00:00Z, 2026-01-11T06:00:00Z",
        "22:00, 07:00, 2026-01-11T05:59:59Z, 2026-01-11T06:00:00Z",
        "22:00, 07:00, 2026-01-11T06:00:00Z, 2026-01-11T06:00:00Z",
        // within a day, in summer
        "12:00, 14:00, 2026-07-01T10:30:00Z, 2026-07-01T12:00:00Z",
        "12:00, 14:00, 2026-07-01T12:00:00Z, 2026-07-01T12:00:00Z",
        // a night that is an hour shorter, and one that is an hour longer
        "22:00, 07:00, 2026-03-28T21:00:00Z, 2026-03-29T05:00:00Z",
        "22:00, 07:00, 2026-10-24T20:00:00Z, 2026-10-25T06:00:00Z",
        // the end is skipped: the clock shows 03:00 at 01:00Z, which is not quiet
        "22:00, 02:30, 2026-03-29T00:59:00Z, 2026-03-29T01:00:00Z",
        "22:00, 02:30, 2026-03-29T01:00:00Z, 2026-03-29T01:00:00Z",
        // the end comes twice: 02:15 is before it both times
        "22:00, 02:30, 2026-10-25T00:15:00Z, 2026-10-25T00:30:00Z",
        "22:00, 02:30, 2026-10-25T01:15:00Z, 2026-10-25T01:30:00Z",
    })
    void quiet_hours_end_when_the_clock_says_so(LocalTime from, LocalTime to, Instant now, Instant expected) {
        assertThat(times(new QuietHours(from, to), null).earliest(now)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "08:00, 2026-01-10T06:59:59Z, 2026-01-10T07:00:00Z",
        "08:00, 2026-01-10T07:00:00Z, 2026-01-11T07:00:00Z",
        // over the change to summer and back: 23 and 25 hours later
        "08:00, 2026-03-28T07:00:00Z, 2026-03-29T06:00:00Z",
        "08:00, 2026-10-24T06:00:00Z, 2026-10-25T07:00:00Z",
        // a time that is skipped comes when the clock is set on, and the day after at its time
        "02:30, 2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z",
        "02:30, 2026-03-29T01:00:00Z, 2026-03-30T00:30:00Z",
        // one that comes twice is taken once
        "02:30, 2026-10-25T00:29:00Z, 2026-10-25T00:30:00Z",
        "02:30, 2026-10-25T00:30:00Z, 2026-10-26T01:30:00Z",
        "02:30, 2026-10-25T01:15:00Z, 2026-10-26T01:30:00Z",
    })
    void summary_is_once_a_day(LocalTime at, Instant after, Instant expected) {
        assertThat(times(null, at).nextSummary(after)).isEqualTo(expected);
    }

    @Test
    void no_quiet_hours_hold_nothing_back() {
        Instant now = Instant.parse("2026-01-10T02:00:00Z");
        assertThat(MailTimes.AT_ONCE.earliest(now)).isEqualTo(now);
    }

    private static MailTimes times(@Nullable QuietHours quiet, @Nullable LocalTime summary) {
        return new MailTimes(BERLIN, quiet, summary);
    }
}
