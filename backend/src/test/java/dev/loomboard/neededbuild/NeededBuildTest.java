package dev.loomboard.neededbuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.bisection.BisectionService;
import dev.loomboard.inbox.ShownBisection;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.kit.WebTest;
import dev.loomboard.schedule.ScheduleRows;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which builds an agent is told to keep and to bring again. The service's own job may take a bisection's step first. */
final class NeededBuildTest extends WebTest {

    private static final String PROVIDER =
            "{\"check\": \"jdk-provider\", \"severity\": \"info\", \"state\": \"ok\", \"found\": \"It fares well.\"}";
    private static final String NEW_YEAR = "0 0 0 1 1 ?";

    @Test
    void search_under_way_needs_all_its_builds_until_it_ends() {
        ShownBisection shown = new ShownBisection(service, "public", 3);
        assertThat(needed(shown)).isEmpty();
        shown.start();
        assertThat(needed(shown))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(Stream.of(shown.rows.good, shown.rows.young), shown.between.stream())
                                .toList());
        shown.rows.run(
                "update bisection set state = 'cancelled', reason = 'a test', ended_at = now() where state = 'running'"
                        + " and change_point_id = (select change_point_id from change_point where external_id = :id)",
                Map.of("id", shown.regression));
        assertThat(needed(shown)).isEmpty();
    }

    @Test
    void builds_that_are_gone_are_awaited_a_step_at_a_time_and_measured_when_they_came() {
        ShownBisection shown = new ShownBisection(service, "public", 4);
        gone(shown, PROVIDER);
        assertThat(page(as(Role.OWNER), "/regressions/" + shown.regression)
                        .select("#bisection")
                        .text())
                .contains("all on the machine. The machine's JDK provider brings 5 of them again");
        shown.start();
        advance();
        assertThat(steps(shown)).isZero();
        assertThat(needed(shown)).hasSize(3).contains(shown.rows.good, shown.rows.young);
        present(shown, true);
        assertThat(shown.go(shown.between.get(2))).isPositive();
        assertThat(state(shown)).isEqualTo("done");
    }

    @Test
    void build_that_does_not_come_in_a_day_ends_the_search() {
        ShownBisection shown = new ShownBisection(service, "public", 4);
        gone(shown, PROVIDER);
        shown.start();
        advance();
        assertThat(state(shown)).isEqualTo("running");
        shown.rows.run(
                "update bisection set started_at = now() - interval '2 days' where change_point_id ="
                        + " (select change_point_id from change_point where external_id = :id)",
                Map.of("id", shown.regression));
        advance();
        assertThat(state(shown)).isEqualTo("failed");
    }

    @Test
    void without_a_provider_no_search_begins_of_what_is_gone() {
        ShownBisection shown = new ShownBisection(service, "public", 4);
        gone(shown, "");
        assertThat(page(as(Role.OWNER), "/regressions/" + shown.regression)
                        .select("#bisection")
                        .text())
                .contains("he machine has none of the 4 builds between");
    }

    @Test
    void suspect_needs_its_builds_until_it_is_answered() {
        SuspectRows rows = new SuspectRows(service, "public");
        assertThat(needed(rows)).isEmpty();
        String suspect = rows.suspect("plain", "cpu_us_per_request");
        rows.remove(rows.good);
        assertThat(needed(rows)).containsExactlyInAnyOrder(rows.good, rows.young);
        rows.run("update change_point set rerun_reason = 'a test' where external_id = :id", Map.of("id", suspect));
        assertThat(needed(rows)).isEmpty();
    }

    @Test
    void active_schedule_needs_its_control_and_its_baselines() {
        ScheduleRows rows = new ScheduleRows(service, "public");
        String baseline = "temurin-25.0.3-9-" + rows.name;
        String control = rows.build("21.0.9+10", "ga");
        String matrixBaseline = rows.build("24.0.2+12", "ga");
        rows.build("26+30", "ea");
        String id = rows.schedule(NEW_YEAR, "UTC", Instant.EPOCH, "baseline:25", "latest-ea");
        assertThat(needed(rows)).containsExactly(baseline);
        rows.execute(
                "update schedule set control_since = now(), control_build_id = (select jdk_build_id from jdk_build where slug = '"
                        + control + "') where external_id = '" + id + "'");
        rows.remove(control);
        assertThat(needed(rows)).containsExactlyInAnyOrder(baseline, control);
        rows.execute("update schedule set state = 'paused' where external_id = '" + id + "'");
        assertThat(needed(rows)).isEmpty();
        rows.execute("update matrix set spec = jsonb_set(spec, '{jdks}', '[\"latest-ea\", \"baseline:24\"]')"
                + " where external_id = '" + rows.matrix + "'");
        rows.schedule(NEW_YEAR, "UTC", Instant.EPOCH);
        assertThat(needed(rows)).containsExactly(matrixBaseline);
    }

    private List<String> needed(ShownBisection shown) {
        return needed(shown.rows);
    }

    private List<String> needed(SuspectRows rows) {
        return needed(rows.number(
                "select machine_id from machine where external_id = :machine", Map.of("machine", rows.machine)));
    }

    private List<String> needed(ScheduleRows rows) {
        return needed(rows.number("select machine_id from machine where external_id = '" + rows.machine + "'"));
    }

    private List<String> needed(long machine) {
        return Objects.requireNonNull(service.bean(NeededBuildService.class)
                .of(new MachineId(machine))
                .block(ScheduleRows.TIMEOUT));
    }

    private void advance() {
        service.bean(BisectionService.class).advance().block(ScheduleRows.TIMEOUT);
    }

    private static void gone(ShownBisection shown, String finding) {
        shown.rows.run(
                "update machine set doctor = '{\"schema\": \"loomboard.doctor/1\", \"at\": \"2026-11-27T01:00:00Z\", \"findings\": ["
                        + finding + "]}' where external_id = :machine",
                Map.of("machine", shown.rows.machine));
        present(shown, false);
    }

    /** All of the search but its last. */
    private static void present(ShownBisection shown, boolean present) {
        Stream.concat(Stream.of(shown.rows.good), shown.between.stream())
                .forEach(build -> shown.rows.run(
                        "update machine_jdk set present = " + present + " where jdk_build_id ="
                                + " (select jdk_build_id from jdk_build where slug = :slug)",
                        Map.of("slug", build)));
    }

    private static long steps(ShownBisection shown) {
        return shown.rows.number("""
                        select count(*) from bisection_step join bisection using (bisection_id) join change_point c using (change_point_id)
                         where c.external_id = :id
                        """, Map.of("id", shown.regression));
    }

    private static String state(ShownBisection shown) {
        return shown.rows.text("""
                        select max(b.state) from bisection b join change_point c using (change_point_id) where c.external_id = :id
                        """, Map.of("id", shown.regression));
    }
}
