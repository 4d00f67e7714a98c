package dev.loomboard.schedulepages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cron.CronService;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ScheduleFormTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private final CronService crons = new CronService();

    @Test
    void good_form_is_a_draft() {
        ScheduleForm form =
                form("when", "weekly", "weeklyDay", "SUNDAY", "weeklyTime", "06:30", "jdks", " 25, latest-ea 25 ");
        assertThat(form.problems()).isEmpty();
        assertThat(form.draft().cron()).isEqualTo("0 30 6 ? * SUN");
        assertThat(form.draft().jdks()).containsExactly("25", "latest-ea");
        assertThat(form.slug()).isEqualTo("every-night-jdk-28");
    }

    @Test
    void every_problem_is_beside_its_field_and_nothing_typed_is_lost() {
        ScheduleForm form = form(
                "title",
                " !! ",
                "matrix",
                "",
                "machine",
                "",
                "when",
                "cron",
                "cron",
                "0  0 2 * *",
                "zone",
                "berlin",
                "jdks",
                "25 Nope!");
        assertThat(form.problem("title")).contains("1 to 80");
        assertThat(form.problem("matrix")).contains("missing");
        assertThat(form.problem("machine")).contains("missing");
        assertThat(form.problem("cron")).contains("five fields");
        assertThat(form.problem("zone")).contains("did you mean Europe/Berlin?");
        assertThat(form.problem("jdks")).contains("is: Nope!");
        assertThat(form.jdks()).isEqualTo("25 Nope!");
        assertThat(form.zone()).isEqualTo("berlin");
    }

    @Test
    void only_the_chosen_way_is_checked() {
        assertThat(form("when", "nightly", "hourlyMinute", "99", "cron", "rubbish")
                        .problems())
                .isEmpty();
        assertThat(form("when", "hourly", "hourlyMinute", "99").problem("hourlyMinute"))
                .contains("0 to 59");
        assertThat(form("when", "nightly", "nightlyTime", "25:00").problem("nightlyTime"))
                .contains("25:00");
        assertThat(form("when", "weekly", "weeklyDay", "SOMEDAY").problem("weeklyDay"))
                .contains("day of the week");
        assertThat(form("when", "sometimes").problem("when")).isNotNull();
    }

    private ScheduleForm form(String... fields) {
        Map<String, String> typed = new HashMap<>(Map.of(
                "title",
                "Every night: JDK 28",
                "matrix",
                "mtx_a",
                "machine",
                "mac_a",
                "when",
                "nightly",
                "nightlyTime",
                "02:00",
                "zone",
                "Europe/Berlin"));
        for (int i = 0; i < fields.length; i += 2) {
            typed.put(fields[i], fields[i + 1]);
        }
        return ScheduleForm.typed(name -> typed.getOrDefault(name, "")).checked(cron -> crons.problem(cron, NOW));
    }
}
