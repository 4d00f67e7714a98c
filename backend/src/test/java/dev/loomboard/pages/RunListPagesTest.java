package dev.loomboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The list of runs, and what it can be narrowed to. */
final class RunListPagesTest extends ShownPages {

    private final Results.Ids ids = Results.shared();

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    @Test
    void state_and_machine_narrow_the_list_and_its_twin() {
        String machine = await(database.sql("select external_id from machine where slug = 'bench-pages'")
                .map(row -> row.get(0, String.class))
                .one());
        Document page = shown(client, "/runs?state=running&machine=" + machine);
        assertThat(page.select("[aria-label=Runs] tbody a[href=/runs/" + ids.liveRun() + "]"))
                .hasSize(1);
        assertThat(page.select("[aria-label=Runs] tbody tr").stream()
                        .map(row -> row.child(1).text()))
                .allMatch(text -> text.contains("running"));
        assertThat(page.select("[aria-label=Runs] tbody tr").stream()
                        .map(row -> row.child(4).text()))
                .allMatch(text -> text.equals("bench-pages"));
        assertThat(page.select("#state option[selected]").val()).isEqualTo("running");
        assertThat(page.select("#machine option[selected]").text()).isEqualTo("bench-pages");

        String twin = page.select("a[href*='.json']").attr("href");
        assertThat(twin).isEqualTo("/runs.json?machine=" + machine + "&state=running");
        JsonNode runs = json(text(twin)).path("runs");
        assertThat(runs).isNotEmpty();
        runs.forEach(run -> assertThat(run.path("state").asString()).isEqualTo("running"));
    }

    @Test
    void what_a_form_leaves_empty_is_any() {
        assertThat(json(text("/runs.json?state=&machine=")).path("runs"))
                .isEqualTo(json(text("/runs.json")).path("runs"));
    }

    @Test
    void choice_without_runs_says_so_and_can_be_removed() {
        Document page = shown(client, "/runs?machine=mac_aaaaaaaaaaaaaaaaaaaa");
        assertThat(page.select("[aria-label=Runs]")).isEmpty();
        assertThat(page.text()).contains("No run matches");
        assertThat(page.select("a:contains(Remove the filter)").attr("href")).isEqualTo("/runs");
    }

    @Test
    void state_that_is_none_is_refused_by_name() {
        String problem = new String(
                Objects.requireNonNull(client.get()
                        .uri("/runs.json?state=sleeping")
                        .exchange()
                        .expectStatus()
                        .isEqualTo(422)
                        .expectBody()
                        .returnResult()
                        .getResponseBody()),
                StandardCharsets.UTF_8);
        assertThat(problem).contains("state must be one of queued, leased, running");
    }

    @Test
    void older_runs_keep_the_filter() {
        execute("""
                insert into run (external_id, workspace_id, machine_id, matrix_id, title, state, visibility, spec, methodology, created_by, created_at, finished_at)
                select new_external_id('run'), r.workspace_id, r.machine_id, r.matrix_id, 'Taken back', 'cancelled', 'public', r.spec, r.methodology,
                       r.created_by, timestamptz '2020-01-01' + i * interval '1 minute', now()
                  from run r, generate_series(1, 31) i where r.external_id = '%s'
                """.formatted(ids.liveRun()));
        Document page = shown(client, "/runs?state=cancelled");
        String older = page.select("nav.pages a[rel=next]").attr("href");
        assertThat(older).startsWith("/runs?before=").endsWith("&state=cancelled");
        Document next = shown(client, older);
        assertThat(next.select("nav.pages a[rel=prev]").attr("href")).isEqualTo("/runs?state=cancelled");
        assertThat(next.select("[aria-label=Runs] tbody tr").stream()
                        .map(row -> row.child(1).text()))
                .isNotEmpty()
                .allMatch(text -> text.contains("cancelled"));
    }

    @Test
    void months_lead_to_every_run_of_theirs_that_the_reader_may_see() {
        String month = shown(client, "/runs")
                .select("nav[aria-label='Runs by month'] a:contains(November 2026)")
                .attr("href");
        assertThat(month).isEqualTo("/runs/months/2026-11");
        Document page = shown(client, month);
        assertThat(page.select("h1").text()).isEqualTo("Runs of November 2026");
        assertThat(page.select("tbody a").eachAttr("href"))
                .contains("/runs/" + ids.doneRun(), "/runs/" + ids.liveRun())
                .doesNotContain("/runs/" + ids.privateRun());
        assertThat(shown(as(Role.OWNER), month)
                        .select("tbody tr:contains(private) a")
                        .eachAttr("href"))
                .contains("/runs/" + ids.privateRun());
        for (String none : new String[] {"/runs/months/1999-01", "/runs/months/none", "/runs/months/2026-13.json"}) {
            client.get().uri(none).exchange().expectStatus().isNotFound();
        }
    }
}
