package dev.loomboard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Writing matrices and running them from their page, without scripts. */
final class MatrixPagesTest extends WebTest {

    private static final String YAML = """
            schema: loomboard.matrix/1
            name: NAME
            title: Only a few   # a comment that must stay
            protocol: few/1
            jdks: [25]
            servers:
              - {server: spring-mvc, variants: [virtual]}
            scenarios:
              - {workload: io, params: {delayMs: 100}, load: {profile: constant, rate: 300, seconds: 12}}
            trials: {scored: 1}
            phases: {warmup: [{seconds: 8}]}
            """;

    @Test
    void presets_are_there_from_the_start() {
        assertThat(page(client, "/matrices").select("a[href=/w/main/matrices/starter]"))
                .hasSize(1);
        Document starter = page(client, "/w/main/matrices/starter");
        assertThat(starter.text()).contains("spring-mvc", "300/s for 10 s", "protocol: quick/1");
        assertThat(starter.select("form[action$=run]"))
                .as("a visitor runs nothing")
                .isEmpty();
    }

    @Test
    void matrices_of_our_tools_are_found_by_their_names_and_listed_nowhere() {
        List<String> tools =
                List.of("beyond-100", "bisected", "equal", "law-e1", "qualify", "results", "seeded", "told");
        WebTestClient owner = as(Role.OWNER);
        List<String> titles = tools.stream()
                .map(tool ->
                        page(client, "/w/main/matrices/" + tool).select("h1").text())
                .toList();
        for (Document list : List.of(page(client, "/matrices"), page(owner, "/schedules/new"))) {
            assertThat(list.text())
                    .contains("Starter: a first look at every variant")
                    .doesNotContain(titles);
        }
        assertThat(page(owner, "/w/main").text()).doesNotContain(titles);
        assertThat(json(client.get().uri("/matrices.json").exchange())
                        .path("matrices")
                        .valueStream()
                        .map(matrix -> matrix.path("slug").asString()))
                .contains("starter", "leaderboard", "nightly")
                .doesNotContainAnyElementsOf(tools);
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        form(owner, "/w/main/matrices/law-e1/run", Map.of("machine", "main/" + machine.slug()))
                .expectStatus()
                .isSeeOther();
    }

    @Test
    void a_run_of_a_part_measures_that_part_and_what_the_matrix_lacks_is_said_beside_its_field() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        String path = "/w/main/matrices/starter/run";
        Map<String, String> part = Map.of(
                "machine",
                "main/" + machine.slug(),
                "servers",
                "spring-mvc/virtual, spring-webflux",
                "workloads",
                "io");
        String run = run(form(as(Role.OWNER), path, part)).replaceFirst(".*/", "");
        assertThat(await(database.sql(
                                "select string_agg(distinct server || ' ' || variant || ' ' || workload, ', ') as cells from cell c join run r using (run_id) where r.external_id = :run")
                        .bind("run", run)
                        .map(row -> String.valueOf(row.get("cells", String.class)))
                        .one()))
                .isEqualTo("spring-mvc virtual io");
        Document refused = document(form(
                        as(Role.OWNER),
                        path,
                        Map.of(
                                "machine",
                                "main/" + machine.slug(),
                                "servers",
                                "spring-mvc/reactive",
                                "workloads",
                                "io"))
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .returnResult());
        assertThat(refused.select("#servers-problem").text())
                .startsWith(
                        "must be of the matrix, is: spring-mvc/reactive; it has spring-mvc, spring-mvc/platform-100");
        assertThat(refused.select("#workloads").attr("value")).isEqualTo("io");
    }

    @Test
    void a_matrix_is_written_changed_and_keeps_its_comments() {
        WebTestClient owner = as(Role.OWNER);
        form(owner, "/matrices/new", Map.of("source", YAML.replace("NAME", "few"), "visibility", "private"))
                .expectStatus()
                .isSeeOther()
                .expectHeader()
                .location("/w/main/matrices/few");
        as(Role.ANONYMOUS)
                .get()
                .uri("/w/main/matrices/few")
                .exchange()
                .expectStatus()
                .isNotFound();
        as(Role.STRANGER)
                .get()
                .uri("/w/main/matrices/few/edit")
                .exchange()
                .expectStatus()
                .isNotFound();
        Document edit = page(owner, "/w/main/matrices/few/edit");
        assertThat(edit.select("textarea").text()).contains("# a comment that must stay");

        form(owner, "/w/main/matrices/few/edit", Map.of("source", YAML.replace("NAME", "other")))
                .expectStatus()
                .isEqualTo(422);
        form(
                        owner,
                        "/w/main/matrices/few/edit",
                        Map.of("source", YAML.replace("NAME", "few").replace("rate: 300", "rate: 7")))
                .expectStatus()
                .isSeeOther();
        assertThat(page(owner, "/w/main/matrices/few").text()).contains("7/s for 12 s");
        form(owner, "/matrices/new", Map.of("source", YAML.replace("NAME", "few")))
                .expectStatus()
                .isEqualTo(422);
    }

    @Test
    void selector_that_matches_nothing_is_a_warning_and_one_that_is_misspelt_is_refused() {
        WebTestClient owner = as(Role.OWNER);
        TestMachine.registered(as(Role.TOKEN), client, "public");
        String yaml = YAML.replace("NAME", "unmatched").replace("few/1", "unmatched/1");
        Document refused = document(form(owner, "/matrices/new", Map.of("source", yaml.replace("[25]", "[latst-ea]")))
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .returnResult());
        assertThat(refused.select("#source-problems li").text())
                .contains("jdks[0] must be a JDK selector", "did you mean latest-ea?");
        form(owner, "/matrices/new", Map.of("source", yaml.replace("[25]", "[\">=21\", 999-ea]")))
                .expectStatus()
                .isSeeOther();
        assertThat(page(owner, "/w/main/matrices/unmatched")
                        .select(".notice.warn")
                        .text())
                .contains("The selector \"999-ea\" matches no JDK of the workspace's machines now. The nearest is ")
                .doesNotContain(">=21");
        assertThat(page(client, "/w/main/matrices/unmatched").select(".notice.warn"))
                .as("what private machines have is for those who own them")
                .isEmpty();
    }

    @Test
    void name_of_a_protocol_stands_for_its_phases_everywhere() {
        WebTestClient owner = as(Role.OWNER);
        String first = YAML.replace("few/1", "held/1");
        form(owner, "/matrices/new", Map.of("source", first.replace("NAME", "held")))
                .expectStatus()
                .isSeeOther();
        String longer = first.replace("seconds: 8", "seconds: 9");
        Document refused = document(form(owner, "/matrices/new", Map.of("source", longer.replace("NAME", "longer")))
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .returnResult());
        assertThat(refused.select("#source-problems li").text())
                .contains("protocol held/1 stands for other phases already");
        form(owner, "/matrices/new", Map.of("source", first.replace("NAME", "alike")))
                .expectStatus()
                .isSeeOther();
        form(owner, "/w/main/matrices/held/edit", Map.of("source", longer.replace("NAME", "held")))
                .expectStatus()
                .isEqualTo(422);
        form(
                        owner,
                        "/w/main/matrices/held/edit",
                        Map.of("source", longer.replace("NAME", "held").replace("held/1", "held/2")))
                .expectStatus()
                .isSeeOther();
        form(owner, "/w/main/matrices/alike/edit", Map.of("source", longer.replace("NAME", "alike")))
                .expectStatus() // nobody else uses the name, and nothing was measured under it
                .isSeeOther();
    }

    @Test
    void a_refused_matrix_shows_every_problem_and_loses_nothing() {
        String typed = YAML.replace("NAME", "Big Name").replace("rate: 300", "rate: -1") + "<script>: 1\n";
        Document refused =
                document(form(as(Role.OWNER), "/matrices/new", Map.of("source", typed, "visibility", "private"))
                        .expectStatus()
                        .isEqualTo(422)
                        .expectBody()
                        .returnResult());
        assertThat(refused.select("#source-problems li").eachText())
                .anyMatch(t -> t.startsWith("name "))
                .anyMatch(t -> t.startsWith("scenarios[0].load.rate "))
                .anyMatch(t -> t.startsWith("<script> "));
        assertThat(refused.select("textarea").first()).isNotNull();
        assertThat(refused.select("textarea").text()).contains("Big Name", "a comment that must stay");
        assertThat(refused.select("#visibility option[selected]").attr("value")).isEqualTo("private");
    }

    @Test
    void a_machine_that_lacks_what_a_matrix_requires_is_refused_beside_its_field() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        WebTestClient owner = as(Role.OWNER);
        String source = YAML.replace("NAME", "demanding") + "requires: {labels: [disk=nvme, rack=7], cores: 2}\n";
        form(owner, "/matrices/new", Map.of("source", source)).expectStatus().isSeeOther();
        String path = "/w/main/matrices/demanding";
        assertThat(page(client, path).text()).contains("the label disk=nvme, the label rack=7, 2 cores");
        Map<String, String> now = Map.of("machine", "main/" + machine.slug());
        Document refused = document(form(owner, path + "/run", now)
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .returnResult());
        assertThat(refused.select("#machine-problem").text())
                .as("its agent offers disk=nvme, and its facts 2 cores")
                .endsWith("lacks what the matrix requires: the label rack=7");
        form(owner, "/w/main/machines/" + machine.slug() + "/labels", Map.of("labels", "rack=7"))
                .expectStatus()
                .isSeeOther();
        form(owner, path + "/run", now).expectStatus().isSeeOther();
    }

    @Test
    void a_person_runs_it_now_on_a_machine_of_his_own() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        String path = "/w/main/matrices/starter/run";
        form(as(Role.OWNER), path, Map.of("machine", "main/" + machine.slug(), "jdks", "25, latest-ea"))
                .expectStatus()
                .isSeeOther()
                .expectHeader()
                .valueMatches("Location", "/runs/run_[a-z2-7]{20}");

        form(as(Role.STRANGER), path, Map.of("machine", "main/" + machine.slug()))
                .expectStatus()
                .isEqualTo(422);
        Document refused =
                document(form(as(Role.OWNER), path, Map.of("machine", "main/" + machine.slug(), "jdks", "99"))
                        .expectStatus()
                        .isEqualTo(422)
                        .expectBody()
                        .returnResult());
        assertThat(refused.select("#machine-problem").text()).contains("no JDK matches");
        assertThat(refused.select("#jdks").attr("value")).isEqualTo("99");
        assertThat(refused.select("#machine option[selected]").attr("value")).isEqualTo("main/" + machine.slug());
    }

    @Test
    void a_member_runs_it_and_cancels_that_run_but_none_of_another_s() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        String path = "/w/main/matrices/starter/run";
        Map<String, String> here = Map.of("machine", "main/" + machine.slug());
        String own = run(form(as(Role.MEMBER), path, here));
        String owners = run(form(as(Role.OWNER), path, here));
        assertThat(page(as(Role.MEMBER), owners).select("form[action$=/cancel]"))
                .isEmpty();
        form(as(Role.MEMBER), owners + "/cancel", Map.of()).expectStatus().isNotFound();
        assertThat(page(as(Role.MEMBER), own).select("form[action$=/cancel]")).hasSize(1);
        form(as(Role.MEMBER), own + "/cancel", Map.of()).expectStatus().isSeeOther();
        form(as(Role.OWNER), owners + "/cancel", Map.of()).expectStatus().isSeeOther();
        form(as(Role.VIEWER), path, here).expectStatus().isEqualTo(422);
        assertThat(page(as(Role.VIEWER), "/w/main/matrices/starter").select("#machine"))
                .isEmpty();
    }

    private static String run(WebTestClient.ResponseSpec started) {
        return String.valueOf(started.expectStatus()
                .isSeeOther()
                .expectBody()
                .returnResult()
                .getResponseHeaders()
                .getLocation());
    }
}
