package dev.loomboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Service;
import dev.loomboard.kit.VariantBlocks;
import java.net.URI;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

/** Variants and runs side by side, as pages, JSON and CSV. */
final class SidesPagesTest extends ShownPages {

    private final VariantBlocks blocks = Shared.BLOCKS;

    /** Also looked at by the browser. */
    static final class Shared {
        static final VariantBlocks BLOCKS = new VariantBlocks(
                        Service.shared().bean(DatabaseClient.class),
                        Service.shared().bean(TransactionalOperator.class),
                        "pages-sides")
                .run("public")
                .run("public");
    }

    @Test
    void one_variant_against_another_has_its_verdict_first() {
        Document page = shown(client, servers("slow"));
        assertThat(page.select("h1").text()).contains("spring-mvc pages-sides-slow", "spring-mvc pages-sides-first");
        assertThat(page.select("tbody tr").getFirst().select(".verdict.slower").text())
                .startsWith("slower, +");
        assertThat(page.select("tbody tr").getFirst().text()).contains("in a family of 8", blocks.jdk);
        assertThat(page.select("tfoot").text()).contains("Geometric mean of the ratios of 1 cell", "Not tested.");
    }

    @Test
    void several_candidates_stand_in_one_table_by_significance_each_with_its_own_mean() {
        for (String several : new String[] {
            servers("slow") + "&b=" + encoded(blocks.side("same")), servers("slow") + encoded("," + blocks.side("same"))
        }) {
            Document page = shown(client, several);
            assertThat(page.select("tbody tr")).hasSize(2);
            assertThat(page.select("tbody tr").getFirst().select("th").text()).isEqualTo("spring-mvc pages-sides-slow");
            assertThat(page.select("tbody tr").getLast().select(".verdict.equivalent"))
                    .isNotEmpty();
            assertThat(page.select("tfoot tr")).hasSize(2);
            assertThat(page.select("select[name=b] option[selected]")).hasSize(2);
        }
    }

    @Test
    void run_against_run_says_that_drift_is_not_excluded() {
        Document page = shown(client, "/compare?axis=run&a=" + blocks.runs.get(0) + "&b=" + blocks.runs.get(1));
        assertThat(page.select("tbody tr")).hasSize(3);
        assertThat(page.select("tbody .verdict")).isEmpty();
        assertThat(page.select("main").text())
                .as("once for all rows")
                .containsOnlyOnce("not interleaved: host drift is not excluded");
        assertThat(page.select(".tally").text()).startsWith("No verdict on any of");
    }

    @Test
    void twins_carry_candidate_build_and_verdict() {
        String csv = text(servers("slow").replace("/compare?", "/compare.csv?"));
        assertThat(csv.lines().toList().getFirst()).startsWith("baseline,candidate,jdk,scenario,");
        assertThat(csv.lines().toList().get(1))
                .startsWith(blocks.side("first") + "," + blocks.side("slow") + "," + blocks.jdk)
                .contains(",blocks,slower,");
        assertThat(text(servers("slow").replace("/compare?", "/compare.json?")))
                .contains("\"schema\":\"loomboard.compare/1\"", "\"subject\":\"server\"");
    }

    @Test
    void every_subject_can_be_chosen_and_what_is_unknown_is_not_found() {
        for (String subject : new String[] {"jdk", "server", "collector", "limits", "machine", "run"}) {
            assertThat(shown(client, "/compare?axis=" + subject)
                            .select("nav[aria-label=What to compare] a[aria-current=page]"))
                    .as(subject)
                    .hasSize(1);
        }
        client.get()
                .uri("/compare?axis=server&a=none/none&b=other/none")
                .exchange()
                .expectStatus()
                .isNotFound();
        client.get().uri("/compare?axis=moon").exchange().expectStatus().isEqualTo(422);
    }

    @Test
    void two_cells_show_the_shift_at_each_percentile_with_its_interval_and_what_else_differs() {
        Document page = shown(client, cells(0, 1));
        Element median = Objects.requireNonNull(
                page.select("tbody tr:has(th:contains(p50))").first());
        assertThat(median.select("td.key").text()).startsWith("1.4");
        assertThat(median.text()).contains(" to ", "7");
        Element outer = Objects.requireNonNull(
                page.select("tbody tr:has(th:contains(p99.9))").first());
        assertThat(outer.text()).contains("not judged", "hits lie beyond");
        assertThat(page.select("table[aria-label], div[aria-label=Setup that differs]")
                        .text())
                .contains("pages-sides-first", "pages-sides-slow");
        assertThat(page.select("[data-chart=shift]")).hasSize(1);
        String csv = text(cells(0, 1).replace("/compare/cells?", "/compare/cells.csv?"));
        assertThat(csv.lines().toList().getFirst()).startsWith("percentile,quantile,a_ms,b_ms,step_ms,ratio");
        assertThat(csv.lines().toList()).hasSize(11);
        Document apart = shown(client, cells(0, 4));
        assertThat(apart.text()).contains("not interleaved, so host drift is not excluded");
        client.get()
                .uri("/compare/cells?a=" + blocks.cells.get(0) + "&b=" + blocks.cells.get(0))
                .exchange()
                .expectStatus()
                .isEqualTo(422);
    }

    @Test
    void cells_of_a_private_run_are_not_there_for_strangers() {
        VariantBlocks hidden = new VariantBlocks(
                        Service.shared().bean(DatabaseClient.class),
                        Service.shared().bean(TransactionalOperator.class),
                        "pages-hidden-sides")
                .run("private");
        for (String twin : new String[] {"", ".json", ".csv"}) {
            client.get()
                    .uri("/compare/cells" + twin + "?a=" + hidden.cells.get(0) + "&b=" + hidden.cells.get(1))
                    .exchange()
                    .expectStatus()
                    .isNotFound();
            client.get()
                    .uri("/compare/cells" + twin + "?a=" + blocks.cells.get(0) + "&b=" + hidden.cells.get(1))
                    .exchange()
                    .expectStatus()
                    .isNotFound();
        }
        assertThat(text("/compare/grid")).doesNotContain("pages-hidden-sides");
        client.get()
                .uri(URI.create(service.url() + "/compare/grid?scenario="
                        + encoded("io@1?delayMs=100&kind=pages-hidden-sides;constant:rate=300,seconds=12")))
                .exchange()
                .expectStatus()
                .isNotFound();
    }

    @Test
    void grid_lays_the_newest_points_of_a_scenario_out() {
        String path =
                "/compare/grid?scenario=" + encoded("io@1?delayMs=100&kind=pages-sides;constant:rate=300,seconds=12");
        Document page = shown(client, path);
        assertThat(page.select("tbody tr")).hasSize(3);
        assertThat(page.select("thead th").text()).contains("JDK 25");
        assertThat(page.select("tbody").text()).contains("G1", "7 trials", blocks.jdk);
        assertThat(page.select("tbody svg.interval[aria-label^=95]")).hasSize(3);
        assertThat(text(path.replace("/compare/grid?", "/compare/grid.csv?")).lines())
                .hasSize(4);
    }

    private String cells(int a, int b) {
        return "/compare/cells?a=" + blocks.cells.get(a) + "&b=" + blocks.cells.get(b);
    }

    private String servers(String candidate) {
        return "/compare?axis=server&a=" + encoded(blocks.side("first")) + "&b=" + encoded(blocks.side(candidate));
    }
}
