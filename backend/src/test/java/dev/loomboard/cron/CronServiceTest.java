package dev.loomboard.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CronServiceTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private final CronService crons = new CronService();

    @Test
    void night_keeps_its_local_time_across_zones_offset() {
        assertThat(local("0 0 2 * * ?", "2026-11-21T12:00:00Z", 2))
                .containsExactly("Sun 2026-11-22 02:00 +01:00", "Mon 2026-11-23 02:00 +01:00");
        assertThat(local("0 0 2 * * ?", "2026-07-01T12:00:00Z", 1)).containsExactly("Thu 2026-07-02 02:00 +02:00");
    }

    @Test
    void longest_gap_is_that_between_two_firings_across_weekends_and_clock_changes() {
        Instant autumn = Instant.parse("2026-10-20T12:00:00Z");
        assertThat(crons.longestGap("0 0 2 * * ?", ZoneOffset.UTC, autumn)).contains(Duration.ofHours(24));
        assertThat(crons.longestGap("0 0 5 * * ?", BERLIN, autumn)).contains(Duration.ofHours(25));
        assertThat(crons.longestGap("0 0 2 ? * MON-FRI", ZoneOffset.UTC, autumn))
                .contains(Duration.ofHours(72));
        assertThat(crons.longestGap("0 0 2 1 1 ? 2030", ZoneOffset.UTC, autumn)).isEmpty();
    }

    /** 02:00 to 03:00 does not exist on 2027-03-28: Quartz leaves the night out rather than moving it. */
    @Test
    void time_in_the_spring_gap_does_not_fire() {
        assertThat(local("0 30 2 * * ?", "2027-03-26T12:00:00Z", 3))
                .containsExactly(
                        "Sat 2027-03-27 02:30 +01:00", "Mon 2027-03-29 02:30 +02:00", "Tue 2027-03-30 02:30 +02:00");
        assertThat(notes("0 30 2 * * ?", "2027-03-01T00:00:00Z"))
                .contains(
                        "On 2027-03-28 the clocks go from 02:00 to 03:00: 02:30 does not exist, so nothing fires then.");
    }

    /** 02:00 to 03:00 comes twice on 2026-10-25: Quartz fires once, the second time, in winter time. */
    @Test
    void time_in_the_autumn_overlap_fires_once() {
        assertThat(local("0 30 2 * * ?", "2026-10-23T12:00:00Z", 3))
                .containsExactly(
                        "Sat 2026-10-24 02:30 +02:00", "Sun 2026-10-25 02:30 +01:00", "Mon 2026-10-26 02:30 +01:00");
        assertThat(notes("0 30 2 * * ?", "2026-10-01T00:00:00Z"))
                .contains(
                        "On 2026-10-25 the clocks go from 03:00 to 02:00: 02:30 comes twice, and fires the second time only.");
    }

    @Test
    void time_outside_of_the_changes_has_no_note() {
        assertThat(notes("0 0 3 * * ?", "2026-11-21T12:00:00Z")).isEmpty();
        assertThat(local("0 0 3 * * ?", "2027-03-27T12:00:00Z", 1)).containsExactly("Sun 2027-03-28 03:00 +02:00");
        assertThat(crons.clockChanges("0 30 2 * * ?", ZoneId.of("UTC"), NOW)).isEmpty();
    }

    /** What a firing is recorded under is the time it was due at, also in the night when the clocks change. */
    @ParameterizedTest
    @ValueSource(strings = {"0 30 2 * * ?", "0 0 * * * ?", "0 */5 * * * ?", "0 0 6 ? * MON", "0 0 0 1 1 ?"})
    void latest_of_a_firing_is_itself(String cron) {
        for (String night : List.of("2026-10-24T12:00:00Z", "2027-03-27T12:00:00Z")) {
            for (Instant at : crons.next(cron, BERLIN, Instant.parse(night), 200)) {
                assertThat(crons.latest(cron, BERLIN, at))
                        .as(cron + " at " + at)
                        .contains(at);
                assertThat(crons.latest(cron, BERLIN, at.plusSeconds(30)))
                        .as(cron + " after " + at)
                        .contains(at);
            }
        }
    }

    @Test
    void last_are_the_newest_oldest_first() {
        assertThat(crons.lastUntil("0 0 2 * * ?", BERLIN, Instant.parse("2026-11-21T12:00:00Z"), 3))
                .containsExactly(
                        Instant.parse("2026-11-19T01:00:00Z"),
                        Instant.parse("2026-11-20T01:00:00Z"),
                        Instant.parse("2026-11-21T01:00:00Z"));
        assertThat(crons.latest("0 0 2 * * ? 2030", BERLIN, NOW)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 2 * * ?", "0 0/15 * * * ?", "30 0 6 ? * MON-FRI", "0 0 2 L * ?", "0 0 2 * * ? 2030"})
    void usable_expression_has_no_problem(String cron) {
        assertThat(crons.problem(cron, NOW)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|is missing",
                "0 2 * * *|try 0 0 2 * * ?",
                "30 6 * * 1|try 0 30 6 ? * MON",
                "0 6 * * 0|try 0 0 6 ? * SUN",
                "0 0 2|has 3 fields",
                "* * * * * ?|more than once a minute",
                "0/10 0 2 * * ?|more than once a minute",
                "0 0 2 * * *|needs ? in exactly one",
                "0 0 2 ? * ?|needs ? in exactly one",
                "0 0 25 * * ?|Hour values must be between 0 and 23",
                "0 0 2 * FOO ?|Invalid Month value",
                "0 0 2 31 2 ?|never fires again",
                "0 0 2 * * ? 2020|never fires again",
            })
    void unusable_expression_is_told_how_to_mend(String cron, String words) {
        assertThat(crons.problem(cron, NOW)).contains(words);
    }

    @Test
    void suggestion_for_a_unix_expression_can_be_used() {
        String problem = String.valueOf(crons.problem("15 4 * * 1-5", NOW));
        String suggested = problem.substring(problem.indexOf("try ") + 4);
        assertThat(crons.problem(suggested, NOW)).isNull();
    }

    private List<String> local(String cron, String after, int count) {
        return crons.next(cron, BERLIN, Instant.parse(after), count).stream()
                .map(at -> FireTime.of(at, BERLIN).local())
                .toList();
    }

    private List<String> notes(String cron, String after) {
        return crons.clockChanges(cron, BERLIN, Instant.parse(after)).stream()
                .map(ClockChange::words)
                .toList();
    }
}
