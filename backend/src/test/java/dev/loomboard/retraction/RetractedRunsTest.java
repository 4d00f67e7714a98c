package dev.loomboard.retraction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.RankedMachines;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.WebTest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;

/** Results of a machine or a run that is not to be believed, although the version that it names is right. */
final class RetractedRunsTest extends WebTest {

    private static final String WHY = "nobody measured this";

    private final RankedMachines machines = new RankedMachines(service);

    @AfterEach
    void dismissAdministrators() {
        machines.dismissAdministrators();
    }

    @Test
    void machine_is_retracted_without_the_others_that_measured_the_same_server() {
        String scenario = "retracted-machine@1?;constant:rate=300,seconds=12";
        machines.ranked("forger-one", scenario, 101);
        machines.ranked("honest-one", scenario, 110);
        // Ended first, as in life: the service cancels what a revoked machine has in its queue.
        execute(
                "update run set state = 'done' where machine_id = (select machine_id from machine where slug = 'forger-one')");
        execute("update machine set revoked_at = now() where slug = 'forger-one'");
        elsewhere("forger-one");
        assertThat(machines.ranks(scenario)).containsExactly("forger-one 1–1 of 2", "honest-one 2–2 of 2");
        WebTestClient admin = browser(machines.administrator());
        String machine = text("select external_id from machine where slug = 'forger-one'");
        assertThat(page(admin, "/w/elsewhere/machines/forger-one")
                        .select("a[href*=kind=machine]")
                        .attr("href"))
                .contains(machine);

        retract(as(Role.STRANGER), "machine", machine).expectStatus().isForbidden();
        retract(admin, "machine", "mac_aaaaaaaaaaaaaaaaaaaa").expectStatus().isEqualTo(422);
        retract(admin, "machine", machine).expectStatus().isSeeOther();
        retract(admin, "machine", machine).expectStatus().isEqualTo(409);
        assertThat(machines.ranks(scenario)).containsExactly("honest-one 1–1 of 1");
        Document board = board(scenario);
        assertThat(board.select("tr.retracted")).hasSize(1);
        assertThat(board.select("tbody:has(tr.retracted) .group-words").text())
                .contains("retracted: " + WHY, "machine elsewhere/forger-one");
        String trial =
                text("select t.external_id from trial t join run using (run_id) join machine m using (machine_id)"
                        + " where m.slug = 'forger-one' order by t.trial_id limit 1");
        assertThat(page(client, "/trials/" + trial).select(".notice").text()).contains(WHY);
        assertThat(page(client, "/retractions").text()).contains("machine elsewhere/forger-one", WHY);

        withdraw(admin, machine);
        assertThat(machines.ranks(scenario)).containsExactly("forger-one 1–1 of 2", "honest-one 2–2 of 2");
    }

    @Test
    void owner_retracts_a_run_of_his_own_and_no_other_and_cannot_take_that_back() {
        String scenario = "retracted-run@1?;constant:rate=300,seconds=12";
        machines.ranked("owner-one", scenario, 101);
        machines.ranked("owner-two", scenario, 110);
        String run =
                text("select r.external_id from run r join machine m using (machine_id) where m.slug = 'owner-one'");
        assertThat(page(as(Role.OWNER), "/runs/" + run).select("a[href*=kind=run]"))
                .hasSize(1);
        assertThat(page(client, "/runs/" + run).select("a[href*=kind=run]")).isEmpty();
        Document form = page(as(Role.OWNER), "/retractions?kind=run&name=x&version=" + run);
        assertThat(form.select("#kind option").eachText()).containsExactly("run");
        assertThat(form.select("#version").attr("value")).isEqualTo(run);

        retract(as(Role.STRANGER), "run", run).expectStatus().isForbidden();
        retract(as(Role.OWNER), "run", run).expectStatus().isSeeOther();
        assertThat(machines.ranks(scenario)).containsExactly("owner-two 1–1 of 1");
        assertThat(board(scenario)
                        .select("tbody:has(tr.retracted) .group-words")
                        .text())
                .contains(WHY, "run " + run);
        assertThat(page(client, "/runs/" + run).text()).contains("retracted: " + WHY);

        String id = text("select external_id from retraction where version = '" + run + "'");
        as(Role.OWNER)
                .post()
                .uri("/retractions/" + id + "/withdraw")
                .body(BodyInserters.fromFormData("withdrawal", "it was good"))
                .exchange()
                .expectStatus()
                .isForbidden();
        withdraw(browser(machines.administrator()), run);
        assertThat(machines.ranks(scenario)).containsExactly("owner-one 1–1 of 2", "owner-two 2–2 of 2");
    }

    @Test
    void retracted_run_is_left_out_of_its_history_and_its_neighbours_stay() {
        String scenario = "retracted-point@1?;constant:rate=300,seconds=12";
        Bench bench = machines.ranked("history-one", scenario, 101);
        long jdk = number("select jdk_build_id from jdk_build where slug = 'history-one-25'");
        Bench.Cell bad = machines.again(bench, jdk, scenario, 500);
        machines.again(bench, jdk, scenario, 101.2);
        String run = text("select external_id from run where run_id = " + bad.run());
        retract(as(Role.OWNER), "run", run).expectStatus().isSeeOther();
        String series = text("select s.external_id from series s join machine m using (machine_id)"
                + " where m.slug = 'history-one' and s.metric = 'response_p50_ms'");
        Document history = page(client, "/series/" + series);
        assertThat(history.select("#points td .badge").eachText())
                .filteredOn(badge -> badge.equals("retracted"))
                .hasSize(1);
        withdraw(browser(machines.administrator()), run);
        assertThat(page(client, "/series/" + series).select("#points td .badge").eachText())
                .doesNotContain("retracted");
    }

    @Test
    void retraction_of_a_private_run_is_seen_by_its_workspace_alone() {
        String scenario = "retracted-secret@1?;constant:rate=300,seconds=12";
        machines.ranked("secret-one", scenario, 101);
        String run =
                text("select r.external_id from run r join machine m using (machine_id) where m.slug = 'secret-one'");
        execute("update run set visibility = 'private' where external_id = '" + run + "'");
        retract(browser(machines.administrator()), "run", run).expectStatus().isEqualTo(422);
        retract(as(Role.OWNER), "run", run).expectStatus().isSeeOther();
        assertThat(page(as(Role.OWNER), "/retractions").text()).contains(run);
        for (String path : new String[] {
            "/retractions", "/retractions.json", "/retractions.csv", "/retractions.atom", "/api/v1/retractions"
        }) {
            assertThat(new String(
                            Objects.requireNonNull(client.get()
                                    .uri(path)
                                    .exchange()
                                    .expectStatus()
                                    .isOk()
                                    .expectBody()
                                    .returnResult()
                                    .getResponseBody()),
                            StandardCharsets.UTF_8))
                    .as(path)
                    .doesNotContain(run);
        }
    }

    private static WebTestClient.ResponseSpec retract(WebTestClient as, String kind, String id) {
        return as.post()
                .uri("/retractions")
                .body(BodyInserters.fromFormData("kind", kind)
                        .with("name", "as the link has it")
                        .with("version", id)
                        .with("reason", WHY))
                .exchange();
    }

    private void withdraw(WebTestClient admin, String version) {
        String id =
                text("select external_id from retraction where withdrawn_at is null and version = '" + version + "'");
        admin.post()
                .uri("/retractions/" + id + "/withdraw")
                .body(BodyInserters.fromFormData("withdrawal", "for the other tests"))
                .exchange()
                .expectStatus()
                .isSeeOther();
    }

    /** Moves a machine with what it measured into the workspace of strangers. */
    private void elsewhere(String machine) {
        for (String table : new String[] {"machine", "run", "leaderboard_entry"}) {
            execute("update " + table
                    + " set workspace_id = (select workspace_id from workspace where slug = 'elsewhere')"
                    + " where machine_id = (select machine_id from machine where slug = '" + machine + "')");
        }
    }

    private Document board(String scenario) {
        return document(client.get()
                .uri(URI.create(service.url() + Results.board(scenario)))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult());
    }

    private String text(String sql) {
        return await(database.sql(sql)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .first());
    }
}
