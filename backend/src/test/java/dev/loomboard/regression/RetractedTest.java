package dev.loomboard.regression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.inbox.ShownRegressions;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.kit.WebTest;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.web.reactive.function.BodyInserters;

/** Changes that rest on a version that was found wrong: closed, kept, and open again when that is withdrawn. */
public final class RetractedTest extends WebTest {

    public static void retract(SuspectRows rows) {
        rows.run(
                "update point set server_digest = :digest where run_id = :run",
                Map.of("digest", rows.name, "run", rows.run));
        retracted(rows, rows.name);
    }

    public static void retracted(SuspectRows rows, String digest) {
        rows.run("""
                with a as (insert into account (external_id, email, display_name, password_hash)
                           values (new_external_id('acc'), :digest || '@example.org', 'Ada', 'none') returning account_id)
                insert into retraction (kind, name, version, reason, retracted_by, retracted_at)
                select 'server', 'tiny', :digest, 'it slept', account_id, now() from a
                """, Map.of("digest", digest));
    }

    public static void withdraw(SuspectRows rows) {
        rows.run(
                "update retraction set withdrawn_by = retracted_by, withdrawn_at = now(), withdrawal = 'no' where version = :digest",
                Map.of("digest", rows.name));
    }

    @Test
    void inbox_and_page_say_why_a_change_is_closed_and_open_it_again() {
        ShownRegressions shown = new ShownRegressions(service, "public");
        String inbox = "/regressions?machine=" + shown.rows.name;
        retract(shown.rows);
        assertThat(page(client, inbox).text()).contains("Nothing matches these filters");
        assertThat(page(client, inbox + "&state=retracted")
                        .select("section:has(#retracted) tbody tr")
                        .eachText())
                .hasSize(4)
                .allSatisfy(row -> assertThat(row).contains("retracted: it slept"));
        Document page = page(client, "/regressions/" + shown.regression);
        assertThat(page.select(".notice").text()).contains("Closed: retracted: it slept", "Ada");
        assertThat(page.select("span.badge").eachText()).contains("retracted").doesNotContain("open");
        assertThat(page.select(".verdict")).as("what it was is kept").isNotEmpty();
        assertThat(page(as(Role.OWNER), "/regressions/" + shown.regression).select("form[action$=triage]"))
                .isEmpty();
        as(Role.OWNER)
                .post()
                .uri("/regressions/" + shown.regression + "/triage")
                .body(BodyInserters.fromFormData("state", "fixed")
                        .with("owner", "")
                        .with("note", ""))
                .exchange()
                .expectStatus()
                .isEqualTo(409);
        String feed = body("/regressions.atom");
        assertThat(feed).contains("Retracted: Server CPU per request of tiny plain");
        assertThat(body("/regressions.csv?state=retracted&machine=" + shown.rows.name))
                .contains("retracted: it slept");

        withdraw(shown.rows);
        assertThat(page(client, inbox).select("section:has(h2[id^=build-]) tbody tr"))
                .hasSize(1);
        assertThat(page(client, inbox + "&state=retracted").text()).contains("Nothing matches these filters");
    }

    @Test
    void retracted_suspect_is_not_followed_up_before_that_is_withdrawn() {
        SuspectRows rows = new SuspectRows(service, "public");
        String suspect = rows.suspect("plain", "cpu_us_per_request");
        retract(rows);
        RerunService reruns = service.bean(RerunService.class);
        reruns.followUp().block(ShownRegressions.TIMEOUT);
        assertThat(rows.rerun(suspect)).isNull();
        assertThat(rows.column(suspect, "rerun_reason")).isNull();
        withdraw(rows);
        reruns.followUp().block(ShownRegressions.TIMEOUT);
        assertThat(rows.rerun(suspect)).isNotNull();
    }

    @Test
    void rerun_on_a_retracted_version_answers_nothing() {
        ShownRegressions shown = new ShownRegressions(service, "public");
        // Its point is of another build of the server than the rerun was.
        shown.rows.run("""
                insert into point (workspace_id, series_id, run_id, cell_id, jdk_build_id, measured_at, trials, mean, trial_values,
                                   trial_ids, eligible, standing, server_digest, fingerprint_hash, agent_version)
                select c.workspace_id, cp.series_id, c.run_id, c.cell_id, c.jdk_build_id, now(), 20, 1, '{1}', '{}', true, 'provisional',
                       :digest, 'host', '0.1.0'
                  from change_point cp join comparison v on v.comparison_id = cp.rerun_comparison_id
                  join cell c on c.cell_id = v.baseline_cell_id where cp.external_id = :id
                """, Map.of("digest", shown.rows.name, "id", shown.regression));
        String own = "it is not its own point's";
        shown.rows.run("""
                with a as (insert into account (external_id, email, display_name, password_hash)
                           values (new_external_id('acc'), :digest || '@example.org', 'Ada', 'none') returning account_id)
                insert into retraction (kind, name, version, reason, retracted_by, retracted_at)
                select 'server', 'tiny', :digest, :own, account_id, now() from a
                """, Map.of("digest", shown.rows.name, "own", own));
        assertThat(page(client, "/regressions/" + shown.regression)
                        .select(".notice")
                        .text())
                .contains(own);
        assertThat(page(client, "/regressions/" + shown.suspect)
                        .select(".notice")
                        .text())
                .doesNotContain(own);
        withdraw(shown.rows);
    }

    private String body(String path) {
        byte[] body = client.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseBody();
        return new String(java.util.Objects.requireNonNull(body), java.nio.charset.StandardCharsets.UTF_8);
    }
}
