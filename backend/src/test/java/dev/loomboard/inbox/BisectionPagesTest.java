package dev.loomboard.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.bisection.BisectionService;
import dev.loomboard.bisection.BisectionState;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import dev.loomboard.regression.RerunService;
import dev.loomboard.regression.RetractedTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;

/** Bisections, from the cost that an owner is shown to the build that is found, on a real database. The service's own job may take a step first. */
final class BisectionPagesTest extends WebTest {

    @Test
    void owner_sees_the_cost_starts_it_and_the_right_build_is_found() {
        ShownBisection shown = new ShownBisection(service, "public", 8);
        Document before = page(as(Role.OWNER), "/regressions/" + shown.regression);
        assertThat(before.select("#bisection").text())
                .contains(
                        "8 builds between them, all on the machine", "Cost: about", "at most", "of the machine's time")
                .containsPattern("a trial took 40\\Ws in the rerun");
        Document anybody = page(client, "/regressions/" + shown.regression);
        assertThat(anybody.select("#bisection").text())
                .contains("Cost: about", "An owner of the workspace can start it");
        assertThat(anybody.select("#bisection form")).isEmpty();

        String trials = trials(shown);
        start(as(Role.STRANGER), shown, trials).expectStatus().isForbidden();
        start(as(Role.OWNER), shown, "1").expectStatus().isEqualTo(409);
        start(as(Role.OWNER), shown, trials).expectStatus().isSeeOther();
        start(as(Role.OWNER), shown, trials).expectStatus().isEqualTo(409);
        assertThat(page(client, "/regressions/" + shown.regression)
                        .select("#bisection")
                        .text())
                .contains("Not known yet");

        Flux.range(0, 6)
                .flatMap(i -> service.bean(BisectionService.class).advance().subscribeOn(Schedulers.parallel()))
                .then()
                .block(ShownRegressions.TIMEOUT);
        assertThat(shown.rows.number(
                        "select count(*) from run r join machine m using (machine_id) where m.external_id = :machine and r.created_by like 'bis_%'",
                        Map.of("machine", shown.rows.machine)))
                .as("runs of one step, however many ask")
                .isEqualTo(1);
        assertThat(page(client, "/runs/" + shown.open()).select(".notice").text())
                .contains("A step of a bisection");
        int steps = shown.go(shown.between.get(5));
        JsonNode said = bisection(client, shown);
        assertThat(said.path("state").asString()).isEqualTo("done");
        assertThat(said.at("/credible/0").asString()).isEqualTo(shown.between.get(5));
        assertThat(said.path("credible")).hasSize(1);
        assertThat(said.path("steps")).hasSize(steps);
        assertThat(said.path("steps").get(steps - 1).path("build").asString())
                .as("measured once more")
                .isEqualTo(shown.rows.young);
        assertThat(said.at("/twoChanges/posterior").asDouble(1)).isLessThan(0.5);
        assertThat(said.at("/twoChanges/second").isEmpty()).isFalse();
        assertThat(steps).isLessThanOrEqualTo(said.path("expectedSteps").asInt() + 1);
        assertThat(said.at("/steps/0/effect").isNumber()).isTrue();
        assertThat(said.at("/steps/0/posterior")).hasSize(9);
        Document after = page(client, "/regressions/" + shown.regression);
        assertThat(after.select("#bisection").text())
                .contains("The change came with build 25.0.1.6+9 (posterior", "Two changes have a posterior of");
        assertThat(after.select("#bisection [aria-label=Steps of the bisection] tbody tr"))
                .hasSize(steps);
        assertThat(number("select count(*) from audit_event where action = 'bisection.start' and subject = '"
                        + shown.regression + "'"))
                .isEqualTo(1);
    }

    @Test
    void two_changes_are_said_with_both_places_and_no_culprit_is_named() {
        ShownBisection shown = started(4);
        shown.go(shown.between.get(3), shown.between.get(1));
        JsonNode said = bisection(client, shown);
        assertThat(said.path("state").asString()).isEqualTo("done");
        assertThat(said.path("sentence").asString())
                .contains(
                        "One change does not explain the measurements",
                        "the first with 25.0.1.2+9",
                        "the second with 25.0.1.4+9")
                .doesNotContain("The change came with");
        assertThat(said.at("/twoChanges/first/0").asString()).isEqualTo(shown.between.get(1));
        assertThat(said.at("/twoChanges/second/0").asString()).isEqualTo(shown.between.get(3));
        assertThat(said.path("reason").asString()).startsWith("two changes explain");
    }

    @Test
    void bisection_of_before_the_last_build_was_measured_again_stays_readable_and_says_so() {
        ShownBisection shown = started(3);
        shown.go(shown.rows.young);
        shown.rows.run(
                "update bisection set two_posterior = null, two_first = null, two_second = null where change_point_id = (select change_point_id from change_point where external_id = :id)",
                Map.of("id", shown.regression));
        JsonNode said = bisection(client, shown);
        assertThat(said.path("twoChanges").isNull()).isTrue();
        assertThat(said.path("sentence").asString())
                .contains("The change came with build", "It was not checked whether this is one change");
    }

    @Test
    void change_with_the_first_bad_build_itself_and_with_the_first_between() {
        ShownBisection last = started(3);
        last.go(last.rows.young);
        assertThat(bisection(client, last).at("/credible/0").asString()).isEqualTo(last.rows.young);
        ShownBisection first = started(3);
        first.go(first.between.getFirst());
        assertThat(bisection(client, first).at("/credible/0").asString()).isEqualTo(first.between.getFirst());
    }

    @Test
    void build_that_cannot_be_measured_is_tried_twice_left_out_and_said() {
        ShownBisection shown = started(1);
        for (int i = 0; i < BisectionState.MOST_INVALID; i++) {
            shown.advance();
            shown.rows.end(shown.open(), "failed");
        }
        shown.advance();
        assertThat(shown.open()).isEmpty();
        JsonNode said = bisection(client, shown);
        assertThat(said.path("state").asString()).isEqualTo("done");
        assertThat(said.path("credible")).hasSize(2);
        assertThat(said.at("/steps/1/state").asString()).isEqualTo("invalid");
        assertThat(said.at("/steps/1/posterior").isNull())
                .as("it changed no belief")
                .isTrue();
        assertThat(said.path("sentence").asString())
                .contains("one of 2 builds", "not distinguishable", "could not be measured", shown.between.getFirst());
    }

    @Test
    void build_that_has_gone_meanwhile_is_said_and_so_is_a_spec_that_is_no_longer_understood() {
        ShownBisection gone = started(1);
        gone.rows.remove(gone.between.getFirst());
        gone.advance();
        gone.advance();
        gone.advance();
        assertThat(bisection(client, gone).path("sentence").asString()).contains("no longer on the machine");
        ShownBisection old = started(1);
        old.rows.run(
                "update run set spec = '{\"trials\": \"many\"}' where external_id = :run",
                Map.of("run", Objects.requireNonNull(old.rows.rerun(old.regression))));
        old.advance();
        assertThat(bisection(client, old).path("state").asString()).isEqualTo("failed");
        assertThat(bisection(client, old).path("reason").asString()).contains("not understood");
    }

    @Test
    void owner_cancels_it_with_its_run_and_may_start_another() {
        ShownBisection shown = started(5);
        shown.advance();
        String run = shown.open();
        post(as(Role.STRANGER), shown, "/bisection/cancel").expectStatus().isForbidden();
        post(as(Role.OWNER), shown, "/bisection/cancel").expectStatus().isSeeOther();
        post(as(Role.OWNER), shown, "/bisection/cancel").expectStatus().isEqualTo(409);
        assertThat(shown.rows.text("select state from run where external_id = :run", Map.of("run", run)))
                .isEqualTo("cancelled");
        shown.advance();
        assertThat(bisection(client, shown).path("state").asString()).isEqualTo("cancelled");
        assertThat(page(as(Role.OWNER), "/regressions/" + shown.regression)
                        .select("#bisection form button")
                        .text())
                .isEqualTo("Start another bisection");
        start(as(Role.OWNER), shown, trials(shown)).expectStatus().isSeeOther();
        shown.advance();
        shown.rows.end(shown.open(), "cancelled");
        shown.advance();
        assertThat(bisection(client, shown).path("reason").asString()).contains("run of its step was cancelled");
    }

    @Test
    void retraction_of_what_it_rests_on_stops_it_with_its_run_and_says_why() {
        ShownBisection shown = started(5);
        shown.advance();
        String run = shown.open();
        RetractedTest.retract(shown.rows);
        shown.advance();
        assertThat(shown.rows.text("select state from run where external_id = :run", Map.of("run", run)))
                .isEqualTo("cancelled");
        assertThat(ended(shown))
                .startsWith("cancelled: the results it is based on are retracted: it slept (")
                .contains("Ada");
        assertThat(text(shown))
                .contains("cancelled after 1 step of at most", "the results it is based on are retracted: it slept");
        RetractedTest.withdraw(shown.rows);
        shown.advance();
        assertThat(shown.open()).as("it does not go on by itself").isEmpty();
        start(as(Role.OWNER), shown, trials(shown)).expectStatus().isSeeOther();
    }

    @Test
    void retraction_of_what_a_step_alone_was_measured_with_stops_it_too() {
        ShownBisection shown = started(5);
        shown.advance();
        shown.rows.run("""
                insert into point (workspace_id, series_id, run_id, cell_id, jdk_build_id, measured_at, trials, mean, trial_values,
                                   trial_ids, eligible, standing, server_digest, fingerprint_hash, agent_version)
                select c.workspace_id, cp.series_id, c.run_id, c.cell_id, c.jdk_build_id, now(), 20, 1, '{1}', '{}', true, 'provisional',
                       :digest, 'host', '0.1.0'
                  from change_point cp, cell c join run r using (run_id)
                 where cp.external_id = :id and r.external_id = :run order by c.ordinal limit 1
                """, Map.of("digest", "step-" + shown.rows.name, "id", shown.regression, "run", shown.open()));
        RetractedTest.retracted(shown.rows, "step-" + shown.rows.name);
        shown.advance();
        assertThat(ended(shown)).startsWith("cancelled: the results it is based on are retracted");
    }

    private static String ended(ShownBisection shown) {
        return shown.rows.text("""
                select coalesce(max(b.state || ': ' || b.reason), 'running') from bisection b join change_point c using (change_point_id)
                 where c.external_id = :id
                """, Map.of("id", shown.regression));
    }

    @Test
    void one_follow_up_at_a_time_on_a_machine() {
        ShownBisection shown = started(3);
        String other = shown.rows.suspect("other", "rss_mib");
        service.bean(RerunService.class).followUp().block(ShownRegressions.TIMEOUT);
        String rerun = shown.rows.rerun(other);
        if (rerun != null) { // else the service's job was first with the bisection's step
            shown.advance();
            assertThat(shown.open()).isEmpty();
            shown.rows.end(rerun, "done");
            shown.advance();
        }
        assertThat(shown.open()).isNotEmpty();
    }

    @Test
    void where_there_can_be_none_it_says_why() {
        ShownBisection adjacent = new ShownBisection(service, "public", 0);
        assertThat(text(adjacent)).contains("No bisection: The range cannot be narrowed");
        start(as(Role.OWNER), adjacent, "1").expectStatus().isEqualTo(409);
        ShownBisection none = new ShownBisection(service, "public", 2);
        none.between.forEach(none.rows::remove);
        assertThat(text(none)).contains("the machine has none of the 2 builds between".substring(1));
        ShownBisection some = new ShownBisection(service, "public", 2);
        some.rows.remove(some.between.getFirst());
        assertThat(text(some)).contains("1 of the 2 builds between them are on the machine");
        ShownRegressions shown = ShownRegressions.shared();
        assertThat(page(client, "/regressions/" + shown.improvement).select("#bisection"))
                .isEmpty();
        start(as(Role.OWNER), shown.suspect, "1").expectStatus().isEqualTo(409);
    }

    @Test
    void bisection_of_what_is_private_is_its_members_alone() {
        ShownBisection hidden = new ShownBisection(service, "private", 3);
        start(as(Role.STRANGER), hidden, "1").expectStatus().isNotFound();
        post(as(Role.STRANGER), hidden, "/bisection/cancel").expectStatus().isNotFound();
        start(as(Role.OWNER), hidden, trials(hidden)).expectStatus().isSeeOther();
        hidden.go(hidden.between.getFirst());
        assertThat(bisection(as(Role.TOKEN), hidden).path("state").asString()).isEqualTo("done");
        ShownBisection shown = started(3);
        shown.advance();
        shown.rows.run("update run set visibility = 'private' where external_id = :run", Map.of("run", shown.open()));
        assertThat(bisection(client, shown).isNull())
                .as("what a private run measured is not said in public")
                .isTrue();
        assertThat(bisection(as(Role.TOKEN), shown).isObject()).isTrue();
    }

    private ShownBisection started(int builds) {
        ShownBisection shown = new ShownBisection(service, "public", builds);
        start(as(Role.OWNER), shown, trials(shown)).expectStatus().isSeeOther();
        return shown;
    }

    private String trials(ShownBisection shown) {
        return page(as(Role.OWNER), "/regressions/" + shown.regression)
                .select("#bisection input[name=trials]")
                .attr("value");
    }

    private String text(ShownBisection shown) {
        return page(client, "/regressions/" + shown.regression)
                .select("#bisection")
                .text();
    }

    private static WebTestClient.ResponseSpec start(WebTestClient as, ShownBisection shown, String trials) {
        return start(as, shown.regression, trials);
    }

    private static WebTestClient.ResponseSpec start(WebTestClient as, String regression, String trials) {
        return as.post()
                .uri("/regressions/" + regression + "/bisection")
                .body(BodyInserters.fromFormData("trials", trials))
                .exchange();
    }

    private static WebTestClient.ResponseSpec post(WebTestClient as, ShownBisection shown, String path) {
        return as.post().uri("/regressions/" + shown.regression + path).exchange();
    }

    private static JsonNode bisection(WebTestClient as, ShownBisection shown) {
        JsonNode answer = Objects.requireNonNull(as.get()
                .uri("/api/v1/regressions?machine=" + shown.rows.name)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody());
        List<JsonNode> all = answer.path("regressions").valueStream().toList();
        assertThat(all).hasSize(1);
        return all.getFirst().path("bisection");
    }
}
