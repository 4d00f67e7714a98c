package dev.loomboard.runpages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Measuring again what failed in a run. */
final class RetryTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final String CELLS = """
            select c.server || ' ' || c.variant || ' ' || c.scenario_key || ' ' || j.slug as cell
              from cell c join run r using (run_id) join jdk_build j using (jdk_build_id)
             where r.external_id = :run order by 1
            """;

    @Test
    void failed_cell_is_measured_again_beside_those_that_it_is_compared_with() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        String run = queued(machine);
        assertThat(retryButton(Role.OWNER, run)).as("nothing has ended yet").isEmpty();
        form(as(Role.OWNER), run + "/retry", Map.of()).expectStatus().isEqualTo(409);

        end(run, 1);
        assertThat(retryButton(Role.VIEWER, run)).isEmpty();
        form(as(Role.VIEWER), run + "/retry", Map.of()).expectStatus().isNotFound();
        form(as(Role.STRANGER), run + "/retry", Map.of()).expectStatus().isNotFound();
        assertThat(retryButton(Role.MEMBER, run)).containsExactly("Measure 1 failed cell again");
        String retry = location(form(as(Role.MEMBER), run + "/retry", Map.of()));

        List<String> all = cells(run);
        String failed = Objects.requireNonNull(database.sql(CELLS.replace("order by 1", "and c.ordinal = 1"))
                .bind("run", id(run))
                .map(row -> Objects.requireNonNull(row.get("cell", String.class)))
                .one()
                .block(TIMEOUT));
        String group = failed.substring(0, failed.lastIndexOf(' '));
        assertThat(cells(retry))
                .as("its group on every build of the run, and no other")
                .isEqualTo(all.stream()
                        .filter(cell -> cell.startsWith(group + " "))
                        .toList())
                .hasSizeGreaterThan(1)
                .hasSizeLessThan(all.size());
        Document page = page(as(Role.MEMBER), retry);
        assertThat(page.select("h1").text()).endsWith(", failed cells again");
        assertThat(page.text()).as("it is no rerun of the service").doesNotContain("A rerun.");
    }

    @Test
    void run_whose_cells_all_ended_well_is_not_retried() {
        String run = queued(TestMachine.registered(as(Role.TOKEN), client, "public"));
        end(run, -1);
        assertThat(retryButton(Role.OWNER, run)).isEmpty();
        form(as(Role.OWNER), run + "/retry", Map.of()).expectStatus().isEqualTo(409);
    }

    @Test
    void run_of_a_matrix_that_is_no_longer_understood_says_so() {
        String run = queued(TestMachine.registered(as(Role.TOKEN), client, "public"));
        end(run, 0);
        execute("update run set spec = '{\"protocol\": 7}' where external_id = '" + id(run) + "'");
        assertThat(form(as(Role.OWNER), run + "/retry", Map.of())
                        .expectStatus()
                        .isEqualTo(409)
                        .expectBody(String.class)
                        .returnResult()
                        .getResponseBody())
                .contains("Run its matrix again");
    }

    private String queued(TestMachine machine) {
        return location(form(
                as(Role.OWNER),
                "/w/main/matrices/starter/run",
                Map.of("machine", "main/" + machine.slug(), "jdks", "25, latest-ea")));
    }

    /** One trial a cell, of which that of one cell failed. */
    private void end(String run, int failed) {
        execute("""
                insert into trial (external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing, state, finished_at)
                select replace(c.external_id, 'cel_', 'trl_'), c.workspace_id, c.run_id, c.cell_id, 'scored', 1, c.ordinal, 1,
                       case c.ordinal when %d then 'failed' else 'done' end, now()
                  from cell c join run r using (run_id) where r.external_id = '%s'
                """.formatted(failed, id(run)));
        execute("update run set state = 'done', fencing = 1, finished_at = now() where external_id = '" + id(run)
                + "'");
    }

    private List<String> retryButton(Role role, String run) {
        return page(as(role), run).select("form[action$=/retry] button").eachText();
    }

    private List<String> cells(String run) {
        return Objects.requireNonNull(database.sql(CELLS)
                .bind("run", id(run))
                .map(row -> Objects.requireNonNull(row.get("cell", String.class)))
                .all()
                .collectList()
                .block(TIMEOUT));
    }

    private static String id(String run) {
        return run.substring(run.lastIndexOf('/') + 1);
    }

    private static String location(WebTestClient.ResponseSpec answer) {
        return String.valueOf(answer.expectStatus()
                .isSeeOther()
                .expectBody()
                .returnResult()
                .getResponseHeaders()
                .getLocation());
    }
}
