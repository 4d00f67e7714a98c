package dev.loomboard.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.kit.WebTest;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;

/** Owners ask whether a changed default explains a confirmed regression. */
final class DefaultRerunTest extends WebTest {

    private static final String FORM = "form[action$=/default-rerun]";

    private final ShownRegressions shown = new ShownRegressions(service, "public");
    private final SuspectRows rows = shown.rows;
    private final String change = shown.regression;

    @Test
    void default_that_is_set_to_what_it_was_on_both_builds_explains_the_change_or_does_not() {
        assertThat(as(Role.OWNER, change).select("#defaults + p").text()).startsWith("not known");
        shown.flags();
        Document page = as(Role.OWNER, change);
        assertThat(page.select("table:has(th:contains(Measure again)) tbody tr").eachText())
                .containsExactly(
                        "HashLines 8 16 product As before",
                        "Names (empty) x product",
                        "UseHeaders true false product As before",
                        "UseTable true false diagnostic As before");
        assertThat(page.select(FORM)).hasSize(4);
        assertThat(page(client, "/regressions/" + change).select(FORM)).isEmpty();
        ask(as(Role.STRANGER), "UseTable").expectStatus().isForbidden();

        ask(as(Role.OWNER), "UseTable").expectStatus().isSeeOther();
        String run = newest();
        assertThat(rows.text("select spec ->> 'jvmOptions' from run where external_id = :run", Map.of("run", run)))
                .isEqualTo("[\"-XX:+UnlockDiagnosticVMOptions\", \"-XX:+UseTable\"]");
        assertThat(rows.text("select title from run where external_id = :run", Map.of("run", run)))
                .endsWith("UseTable as before");
        assertThat(as(Role.OWNER, change).text()).contains("none yet The run is queued.");
        assertThat(problem(ask(as(Role.OWNER), "HashLines"))).contains("Try again when that has ended");
        rows.measured(run, 1);
        assertThat(as(Role.OWNER, change).text()).contains("equivalent", "The changed default explains the change.");

        ask(as(Role.OWNER), "HashLines").expectStatus().isSeeOther();
        rows.measured(newest(), 1.2);
        assertThat(page(client, "/regressions/" + change).text())
                .contains("-XX:HashLines=8", "The changed default does not explain the change");
        assertThat(rows.column(change, "status")).as("the regression").isEqualTo("confirmed");
        assertThat(rows.rerun(change)).as("its own rerun").isEqualTo(shown.rerun);
    }

    @Test
    void all_are_set_at_once_and_what_did_not_change_is_refused() {
        shown.flags();
        assertThat(problem(ask(as(Role.OWNER), "Same"))).contains("No such default changed");
        assertThat(problem(ask(as(Role.OWNER), "Names"))).contains("No such default changed");
        ask(as(Role.OWNER), "").expectStatus().isSeeOther();
        assertThat(rows.text("select spec ->> 'jvmOptions' from run where external_id = :run", Map.of("run", newest())))
                .contains("-XX:+UseHeaders", "-XX:HashLines=8", "-XX:+UseTable");
        assertThat(rows.number(
                        "select count(*) from audit_event where action = 'default-rerun.ask' and subject = :id",
                        Map.of("id", change)))
                .isEqualTo(1);
    }

    @Test
    void build_that_is_gone_is_named() {
        shown.flags();
        rows.remove(rows.good);
        assertThat(problem(ask(as(Role.OWNER), "UseTable"))).contains(rows.good + " is no longer on the machine");
    }

    @Test
    void what_no_rerun_has_shown_is_not_asked_about() {
        shown.flags();
        rows.run(
                "update change_point set rerun_run_id = null, rerun_comparison_id = null where external_id = :id",
                Map.of("id", change));
        assertThat(as(Role.OWNER, change).select(FORM)).isEmpty();
        assertThat(problem(ask(as(Role.OWNER), "UseTable"))).contains("A rerun of both builds must show the change");
    }

    private String newest() {
        return rows.text("""
                select r.external_id from default_rerun d join run r using (run_id) join change_point c using (change_point_id)
                 where c.external_id = :change order by d.default_rerun_id desc limit 1
                """, Map.of("change", change));
    }

    private Document as(Role role, String regression) {
        return page(as(role), "/regressions/" + regression);
    }

    private WebTestClient.ResponseSpec ask(WebTestClient as, String flag) {
        return as.post()
                .uri("/regressions/" + change + "/default-rerun")
                .body(BodyInserters.fromFormData("flag", flag))
                .exchange();
    }

    private static String problem(WebTestClient.ResponseSpec answer) {
        return Objects.requireNonNull(answer.expectStatus()
                .isEqualTo(409)
                .expectBody(String.class)
                .returnResult()
                .getResponseBody());
    }
}
