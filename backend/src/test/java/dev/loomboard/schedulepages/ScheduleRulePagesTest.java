package dev.loomboard.schedulepages;

import static dev.loomboard.schedulepages.SchedulePagesTest.location;
import static dev.loomboard.schedulepages.SchedulePagesTest.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import dev.loomboard.schedule.ScheduleRows;
import java.time.Instant;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;

/** The rules of schedules in their form, and what pages say of them. */
final class ScheduleRulePagesTest extends WebTest {

    private final ScheduleRows open = new ScheduleRows(service, "public");

    @Test
    void owner_says_what_becomes_of_runs_that_take_long() {
        ScheduleRows rows = new ScheduleRows(service, "public");
        WebTestClient owner = as(Role.OWNER);
        Document refused = document(send(
                owner,
                "/schedules/new",
                SchedulePagesTest.form(rows, "title", "Long", "overlap", "whatever", "mostHours", "8.5")));
        assertThat(refused.select("#overlap-problem").text()).contains("must be one of skip, queue, stop");
        assertThat(refused.select("#mostHours-problem").text()).contains("whole hours from 1 to 168", "is: 8.5");
        assertThat(refused.select("#mostHours").val()).isEqualTo("8.5");
        String path = location(send(
                owner,
                "/schedules/new",
                SchedulePagesTest.form(rows, "title", "Long", "overlap", "stop", "mostHours", "1")));
        Document edit = page(owner, path + "/edit");
        assertThat(edit.select("input[name=overlap][checked]").val()).isEqualTo("stop");
        assertThat(edit.select("#mostHours").val()).isEqualTo("1");
        assertThat(page(owner, path).text())
                .contains("While an earlier run of this schedule is open, a firing stops that run.")
                .contains("A run is stopped after 1 h");
        SchedulePagesTest.json(owner, path + ".json")
                .jsonPath("$.about.overlap")
                .isEqualTo("stop")
                .jsonPath("$.about.mostHours")
                .isEqualTo(1);
        assertThat(page(owner, path).select("#night .notice.warn")).isEmpty();
        rows.execute("update matrix set spec = jsonb_set(spec, '{trials,scored}', '5000') where external_id = '"
                + rows.matrix + "'");
        assertThat(page(owner, path).select("#night .notice.warn").text())
                .contains("It is stopped after 1 h, so it does not measure everything");
        String part = "/schedules/preview?when=nightly&nightlyTime=02:30&zone=UTC&matrix=" + rows.matrix + "&machine="
                + rows.machine + "&mostHours=";
        assertThat(page(owner, part + "2").text()).contains("It is stopped after 2 h");
        assertThat(page(owner, part).text()).doesNotContain("It is stopped after");
    }

    @Test
    void firings_say_which_run_they_stopped_and_how_far_it_came() {
        String id = open.schedule("0 0 2 * * ?", "UTC", Instant.now());
        open.execute(
                "insert into schedule_firing (schedule_id, fire_at, outcome, skip_kind, reason) select schedule_id,"
                        + " now() - interval '1 day', 'skipped', 'overlap', 'An earlier run was open.' from schedule"
                        + " where external_id = '" + id + "'");
        String run = location(send(as(Role.OWNER), ScheduleRows.path(id) + "/run", SchedulePagesTest.form(open)))
                .substring("/runs/".length());
        open.execute("update run set state = 'cancelled', finished_at = now(), stop_kind = 'duration',"
                + " stop_reason = 'Stopped after 8 h, as its schedule says', planned_trials = 40 where external_id = '"
                + run + "'");
        open.execute(
                "insert into schedule_firing (schedule_id, fire_at, outcome, reason, run_id) select s.schedule_id, now(),"
                        + " 'queued', 'Stopped run_x, which was still open.', r.run_id from schedule s, run r"
                        + " where s.external_id = '" + id + "' and r.external_id = '" + run + "'");
        Document page = page(client, ScheduleRows.path(id));
        assertThat(page.select("#past tbody tr").eachText())
                .anyMatch(line -> line.contains("Stopped after 8 h, as its schedule says: 0 of 40 trials are done.")
                        && line.contains("Stopped run_x, which was still open."))
                .anyMatch(line -> line.contains("skipped An earlier run was open."));
        assertThat(page.select("#calendar td a").eachText()).containsExactly("stopped");
        SchedulePagesTest.json(client, ScheduleRows.path(id) + ".json")
                .jsonPath("$.past[0].stopped.planned")
                .isEqualTo(40)
                .jsonPath("$.past[1].skip")
                .isEqualTo("overlap");
    }

    @Test
    void schedule_without_a_result_for_too_long_says_so_first() {
        ScheduleRows rows = new ScheduleRows(service, "public");
        WebTestClient owner = as(Role.OWNER);
        assertThat(page(owner, "/schedules/new").select("#alarmHours").val()).isEqualTo("26");
        Document refused = document(
                send(owner, "/schedules/new", SchedulePagesTest.form(rows, "title", "Late", "alarmHours", "24")));
        assertThat(refused.select("#alarmHours-problem").text()).contains("must be more than 2", "is: 24");
        assertThat(document(send(
                                owner,
                                "/schedules/new",
                                SchedulePagesTest.form(rows, "title", "Late", "alarmHours", "soon")))
                        .select("#alarmHours-problem")
                        .text())
                .contains("whole hours from 1 to 9000", "is: soon");
        String path = location(
                send(owner, "/schedules/new", SchedulePagesTest.form(rows, "title", "Late", "alarmHours", "26")));
        String late = ".notice.bad a[href=" + path + "]";
        assertThat(page(client, "/schedules").select(late)).isEmpty();
        assertThat(page(client, path).select(".notice.bad")).isEmpty();
        rows.execute("update schedule set updated_at = now() - interval '27 hours' where slug = '"
                + path.substring(path.lastIndexOf('/') + 1) + "'");
        assertThat(page(client, "/schedules").select(late)).hasSize(1);
        assertThat(page(client, path).select(".notice.bad").text())
                .contains("No result since", "which is more than 26 h.");
        SchedulePagesTest.json(client, path + ".json")
                .jsonPath("$.missing.hours")
                .isEqualTo(26);
        SchedulePagesTest.json(client, "/schedules.json")
                .jsonPath("$.schedules[?(@.about.url == '" + path + "')].missing.hours")
                .isEqualTo(26);
        send(owner, path + "/edit", SchedulePagesTest.form(rows, "title", "Late"));
        assertThat(page(client, path).select(".notice.bad")).isEmpty();
    }

    @Test
    void owner_has_missed_builds_measured_later() {
        ScheduleRows rows = new ScheduleRows(service, "public");
        WebTestClient owner = as(Role.OWNER);
        assertThat(document(send(
                                owner,
                                "/schedules/new",
                                SchedulePagesTest.form(rows, "title", "Back", "backfill", "21")))
                        .select("#backfill-problem")
                        .text())
                .contains("builds from 0 to 20", "is: 21");
        String before = rows.build("28-ea+10", "ea");
        String path = location(send(
                owner,
                "/schedules/new",
                SchedulePagesTest.form(rows, "title", "Back", "backfill", "5", "jdks", "latest-ea")));
        assertThat(page(owner, path + "/edit").select("#backfill").val()).isEqualTo("5");
        assertThat(page(owner, path).text()).contains("it measures up to 5 later, one a firing");
        String run = location(send(owner, path + "/run", SchedulePagesTest.form(rows)))
                .substring("/runs/".length());
        rows.execute("update run set state = 'done', finished_at = now() where external_id = '" + run + "'");
        assertThat(page(owner, path).select("#night").text()).doesNotContain("which it missed");
        String missed = rows.build("28-ea+11", "ea");
        rows.build("28-ea+12", "ea");
        assertThat(page(owner, path).select("#night .notice").text())
                .contains("First the next firing measures " + missed + ", which it missed, beside " + before);
        rows.execute(
                "insert into schedule_firing (schedule_id, fire_at, outcome, run_id, backfill_build_id) select r.schedule_id,"
                        + " now(), 'queued', r.run_id, j.jdk_build_id from run r, jdk_build j where r.external_id = '"
                        + run
                        + "' and j.slug = '" + missed + "'");
        assertThat(page(client, path).select("#past tbody tr").text()).contains("backfill of " + missed);
        SchedulePagesTest.json(client, path + ".json")
                .jsonPath("$.past[0].backfill")
                .isEqualTo(missed);
    }
}
