package dev.loomboard.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.kit.WebTest;
import dev.loomboard.regression.RerunService;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Owners let both builds take turns where only the history decided, so that a bisection has an effect to go by. */
final class AskedRerunTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String CPU = "cpu_us_per_request";
    private static final String FORM = "form[action$=/rerun]";

    private final RerunService reruns = service.bean(RerunService.class);

    @Test
    void owner_asks_once_and_the_answer_is_what_a_bisection_goes_by() {
        SuspectRows rows = withoutReruns();
        String change = byHistory(rows, "plain", CPU);
        assertThat(shown(as(Role.OWNER), change).select(FORM)).hasSize(1);
        assertThat(shown(client, change).select(FORM)).isEmpty();
        ask(as(Role.STRANGER), change).expectStatus().isForbidden();
        assertThat(rows.rerun(change)).isNull();

        ask(as(Role.OWNER), change).expectStatus().isSeeOther();
        String run = Objects.requireNonNull(rows.rerun(change), "the rerun");
        assertThat(shown(as(Role.OWNER), change).select(FORM)).isEmpty();
        ask(as(Role.OWNER), change).expectStatus().isEqualTo(409);
        assertThat(rows.rerun(change)).isEqualTo(run);

        rows.measured(run, 1.2);
        reruns.decide().block(TIMEOUT);
        assertThat(rows.column(change, "status")).isEqualTo("confirmed");
        assertThat(rows.column(change, "confirmed_by")).isEqualTo("history");
        assertThat(rows.column(change, "rerun_reason")).isEqualTo("the rerun says slower, as suspected");
        assertThat(shown(as(Role.OWNER), change).select(FORM)).isEmpty();
        assertThat(shown(client, change).select("#bisection").text()).doesNotContain("no rerun showed");
        assertThat(rows.number(
                        "select count(*) from audit_event where action = 'rerun.ask' and subject = :id",
                        Map.of("id", change)))
                .isEqualTo(1);
    }

    @Test
    void rerun_that_gave_no_verdict_may_be_asked_for_again() {
        SuspectRows rows = withoutReruns();
        String change = byHistory(rows, "plain", CPU);
        ask(as(Role.OWNER), change).expectStatus().isSeeOther();
        String first = Objects.requireNonNull(rows.rerun(change), "the rerun");
        rows.end(first, "cancelled");
        reruns.decide().block(TIMEOUT);
        assertThat(shown(as(Role.OWNER), change).text()).contains("The rerun gave no verdict");
        ask(as(Role.OWNER), change).expectStatus().isSeeOther();
        assertThat(rows.rerun(change)).isNotNull().isNotEqualTo(first);
        assertThat(rows.column(change, "rerun_reason")).isNull();
    }

    @Test
    void what_cannot_be_rerun_says_why() {
        SuspectRows rows = withoutReruns();
        String unjudged = byHistory(rows, "plain", "startup_ms");
        assertThat(problem(ask(as(Role.OWNER), unjudged))).contains("This metric has no verdict");
        String change = byHistory(rows, "plain", CPU);
        String other = byHistory(rows, "other", CPU);
        ask(as(Role.OWNER), change).expectStatus().isSeeOther();
        assertThat(problem(ask(as(Role.OWNER), other))).contains("Try again when that has ended");
        rows.end(Objects.requireNonNull(rows.rerun(change)), "done");
        rows.remove(rows.good);
        ask(as(Role.OWNER), other).expectStatus().isSeeOther();
        assertThat(rows.rerun(other)).isNull();
        assertThat(shown(client, other).text()).contains("No rerun", rows.good + " is no longer on the machine");
    }

    /** Nothing is rerun by itself on this machine: that it was asked for holds until its build has come. */
    @Test
    void what_is_asked_for_waits_for_a_build_that_may_come_again() {
        SuspectRows rows = withoutReruns();
        rows.provides();
        rows.remove(rows.good);
        String change = byHistory(rows, "plain", CPU);
        ask(as(Role.OWNER), change).expectStatus().isSeeOther();
        assertThat(rows.rerun(change)).isNull();
        assertThat(shown(client, change).text()).contains("Waiting for its builds: the machine lacks one of the two");
        rows.bring(rows.good);
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.rerun(change)).isNotNull();
        assertThat(rows.column(change, "status")).isEqualTo("confirmed");
    }

    @Test
    void suspect_waits_for_its_rerun_and_is_not_asked_about() {
        SuspectRows rows = withoutReruns();
        String suspect = rows.suspect("plain", CPU);
        assertThat(shown(as(Role.OWNER), suspect).select(FORM)).isEmpty();
        ask(as(Role.OWNER), suspect).expectStatus().isEqualTo(409);
    }

    /** A machine on which nothing is rerun by itself. */
    private SuspectRows withoutReruns() {
        SuspectRows rows = new SuspectRows(service, "public");
        rows.run("update machine set reruns = false where external_id = :machine", Map.of("machine", rows.machine));
        return rows;
    }

    private static String byHistory(SuspectRows rows, String variant, String metric) {
        String change = rows.suspect(variant, metric);
        rows.run("""
                update change_point set status = 'confirmed', confirmed_by = 'history', decided_at = now(), history_at = now(),
                       history_change = 0.2, history_p = 1e-6 where external_id = :id
                """, Map.of("id", change));
        return change;
    }

    private Document shown(WebTestClient as, String change) {
        return page(as, "/regressions/" + change);
    }

    private static WebTestClient.ResponseSpec ask(WebTestClient as, String change) {
        return as.post().uri("/regressions/" + change + "/rerun").exchange();
    }

    private static String problem(WebTestClient.ResponseSpec answer) {
        return Objects.requireNonNull(answer.expectStatus()
                .isEqualTo(409)
                .expectBody(String.class)
                .returnResult()
                .getResponseBody());
    }
}
