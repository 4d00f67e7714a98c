package dev.loomboard.hiding;

import static dev.loomboard.kit.Forms.send;
import static dev.loomboard.kit.Forms.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.RankedMachines;
import dev.loomboard.kit.WebTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;

/** What an administrator hides is not there for others, ranks nowhere, and comes back as it was. */
final class HidingPagesTest extends WebTest {

    private static final String WHY = "the numbers are being looked into";

    private final RankedMachines machines = new RankedMachines(service);
    private final String mark = "hid-" + ExternalId.random("hid").value().substring(4, 12);
    private final String scenario = mark + "@1?;constant:rate=300,seconds=12";
    private WebTestClient administrator = client;
    private final Bench one = machines.ranked(mark + "-one", scenario, 101);

    @BeforeEach
    void appoint() {
        cast.administers(true);
        administrator = as(Role.ADMINISTRATOR);
        machines.ranked(mark + "-two", scenario, 110);
        assertThat(machines.ranks(scenario)).containsExactly(mark + "-one 1–1 of 2", mark + "-two 2–2 of 2");
    }

    @AfterEach
    void dismiss() {
        cast.administers(false);
    }

    @Test
    void machine_and_what_it_measured_are_seen_by_its_workspace_and_administrators_alone() {
        String machine = "/w/main/machines/" + mark + "-one";
        String id = text("select external_id from machine where slug = '" + mark + "-one'");
        assertThat(page(administrator, machine)
                        .select("a[href*=kind=machine][href^=/hidden]")
                        .attr("href"))
                .contains(id);
        hide("machine", id);
        assertAlone(machine);
        assertAlone("/runs/" + run("-one"));
        assertThat(machines.ranks(scenario)).containsExactly(mark + "-one 1–1 of 1", mark + "-two 1–1 of 1");
        assertThat(page(client, "/machines").html()).doesNotContain(mark + "-one");
        assertThat(page(administrator, "/machines").html()).contains(mark + "-one");
        assertThat(page(as(Role.OWNER), machine).text()).contains("Hidden by an administrator", WHY);

        send(as(Role.OWNER), machine + "/visibility", Map.of("visibility", "private"));
        administrator.get().uri(machine).exchange().expectStatus().isNotFound(); // now it is its owner's secret
        send(as(Role.OWNER), machine + "/visibility", Map.of("visibility", "public"));
        assertAlone(machine);

        showAgain(id, "machine");
        page(client, machine);
        page(client, "/runs/" + run("-one"));
        assertThat(machines.ranks(scenario)).containsExactly(mark + "-one 1–1 of 2", mark + "-two 2–2 of 2");
    }

    @Test
    void run_is_hidden_without_its_machine_and_a_later_run_takes_its_place() {
        String run = run("-one");
        hide("run", run);
        assertAlone("/runs/" + run);
        assertAlone("/runs/" + run + ".json");
        page(client, "/w/main/machines/" + mark + "-one");
        assertThat(machines.ranks(scenario)).containsExactly(mark + "-one 1–1 of 1", mark + "-two 1–1 of 1");
        String series = text("select s.external_id from series s join machine m using (machine_id) where m.slug = '"
                + mark + "-one' and s.metric = 'response_p50_ms'");
        assertAlone("/series/" + series);

        long jdk = number("select jdk_build_id from jdk_build where slug = '" + mark + "-one-25'");
        machines.again(one, jdk, scenario, 102);
        assertThat(machines.ranks(scenario)).hasSize(2).allMatch(rank -> rank.endsWith("of 2"));
        page(client, "/series/" + series);
        showAgain(run, "run");
        page(client, "/runs/" + run);
        page(client, "/series/" + series);
    }

    @Test
    void schedule_and_regression_are_hidden_with_their_machine() {
        execute(
                "insert into schedule (external_id, workspace_id, slug, title, matrix_id, machine_id, cron, zone, jdk_selectors)"
                        + " select new_external_id('sch'), m.workspace_id, m.slug, 'Hidden', x.matrix_id, m.machine_id, '0 0 2 * * ?',"
                        + " 'UTC', '{}' from matrix x join machine m using (workspace_id) where x.slug = 'starter' and m.slug = '"
                        + mark + "-one'");
        execute(
                "insert into change_point (workspace_id, series_id, jdk_build_id, good_build_id, point_id, q_hat, p, before,"
                        + " after, direction, standing, methodology) select p.workspace_id, p.series_id, p.jdk_build_id, p.jdk_build_id,"
                        + " p.point_id, 9.5, 1e-6, 1, 2, 'worse', true, '1' from point p join series s using (series_id)"
                        + " join run r on r.run_id = p.run_id where r.external_id = '" + run("-one")
                        + "' and s.metric = 'response_p50_ms'");
        List<String> pages = List.of("/w/main/schedules/" + mark + "-one", "/regressions/" + change());
        pages.forEach(path -> page(client, path));
        hide("machine", text("select external_id from machine where slug = '" + mark + "-one'"));
        pages.forEach(this::assertAlone);
    }

    @Test
    void hiding_is_refused_for_what_cannot_be_and_written_down_for_what_is() {
        String run = run("-two");
        assertThat(status(administrator, "/hidden", Map.of("kind", "run", "id", run, "reason", "")))
                .isEqualTo(422);
        assertThat(status(
                        administrator,
                        "/hidden",
                        Map.of("kind", "run", "id", "run_aaaaaaaaaaaaaaaaaaaa", "reason", "x")))
                .isEqualTo(422);
        assertThat(status(administrator, "/hidden", Map.of("kind", "matrix", "id", run, "reason", "x")))
                .isEqualTo(422);
        hide("run", run);
        assertThat(status(administrator, "/hidden", Map.of("kind", "run", "id", run, "reason", "again")))
                .isEqualTo(422);
        assertThat(page(as(Role.STRANGER), "/hidden").html()).doesNotContain(run);
        assertThat(page(as(Role.VIEWER), "/hidden").html()).contains(run, WHY);
        assertThat(page(as(Role.VIEWER), "/hidden").select("main form")).isEmpty();
        showAgain(run, "run");
        assertThat(number(
                        "select count(*) from audit_event where action in ('hiding.hide', 'hiding.show') and subject ="
                                + " (select h.external_id from hiding h join run r using (run_id) where r.external_id = '"
                                + run
                                + "')"))
                .isEqualTo(2);
    }

    @Test
    void workspace_is_hidden_with_all_that_is_in_it() {
        execute("insert into workspace (external_id, slug, name) values (new_external_id('wsp'), '" + mark
                + "', 'Lab')");
        for (String table : new String[] {"machine", "run", "series", "leaderboard_entry"}) {
            execute("update " + table + " set workspace_id = (select workspace_id from workspace where slug = '" + mark
                    + "') where machine_id = (select machine_id from machine where slug = '" + mark + "-one')");
        }
        page(client, "/w/" + mark);
        hide("workspace", mark);
        for (String path :
                new String[] {"/w/" + mark, "/w/" + mark + "/machines/" + mark + "-one", "/runs/" + run("-one")}) {
            client.get().uri(path).exchange().expectStatus().isNotFound();
            as(Role.STRANGER).get().uri(path).exchange().expectStatus().isNotFound();
            page(administrator, path);
        }
        assertThat(machines.ranks(scenario)).containsExactly(mark + "-one 1–1 of 1", mark + "-two 1–1 of 1");
        String form = page(administrator, "/hidden")
                .select("tr:contains(of " + mark + ") form")
                .attr("action");
        assertThat(status(administrator, form, Map.of())).isEqualTo(303);
        assertThat(status(administrator, form, Map.of())).isEqualTo(409);
        page(client, "/w/" + mark);
        assertThat(machines.ranks(scenario)).containsExactly(mark + "-one 1–1 of 2", mark + "-two 2–2 of 2");
    }

    private void hide(String kind, String id) {
        assertThat(status(administrator, "/hidden", Map.of("kind", kind, "id", id, "reason", WHY)))
                .isEqualTo(303);
    }

    private void showAgain(String id, String kind) {
        String hiding = text("select h.external_id from hiding h join " + kind + " x on x." + kind + "_id = h." + kind
                + "_id where x.external_id = '" + id + "' and h.shown_at is null");
        assertThat(status(administrator, "/hidden/" + hiding + "/show", Map.of()))
                .isEqualTo(303);
    }

    private void assertAlone(String path) {
        client.get().uri(path).exchange().expectStatus().isNotFound();
        as(Role.STRANGER).get().uri(path).exchange().expectStatus().isNotFound();
        for (WebTestClient who : new WebTestClient[] {as(Role.VIEWER), as(Role.OWNER), administrator}) {
            who.get().uri(path).exchange().expectStatus().isOk();
        }
    }

    private String change() {
        return text("select cp.external_id from change_point cp join series s using (series_id) join machine m using"
                + " (machine_id) where m.slug = '" + mark + "-one'");
    }

    private String run(String machine) {
        return text("select r.external_id from run r join machine m using (machine_id) where m.slug = '" + mark
                + machine + "' order by r.run_id limit 1");
    }

    private String text(String sql) {
        return Objects.requireNonNull(
                await(database.sql(sql).map(row -> row.get(0, String.class)).one()));
    }
}
