package dev.loomboard.leaderboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.WebTest;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.Urls;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What was measured of a server, under every load. */
final class ServerPagesTest extends WebTest {

    @BeforeAll
    static void results() {
        Results.shared();
    }

    @Test
    void a_server_has_a_table_for_each_load_and_a_row_for_each_variant() {
        Document page = page(client, Urls.server("spring-mvc"));
        Element io = section(page, Results.IO);
        assertThat(io.select("tbody th[scope=row] .model").eachText())
                .startsWith("platform-100", "platform-unlimited", "virtual");
        assertThat(io.select("td.build").eachText()).as("the newest release").noneMatch(build -> build.contains("-ea"));
        assertThat(io.select("td.num a[href^=/series/]")).as("histories").isNotEmpty();
        assertThat(io.select("a[href^=/runs/]")).isNotEmpty();
        assertThat(io.select("a").eachAttr("href")).contains(Results.board(Results.IO));
        assertThat(page.select("h2").eachText()).contains(words(Results.CLOSED), words(Results.MATMUL));
        assertThat(page.text()).doesNotContain("webflux");
    }

    @Test
    void the_column_that_its_leaderboard_ranks_by_is_first_and_has_the_intervals() {
        Element matmul = section(page(client, Urls.server("spring-mvc")), Results.MATMUL);
        List<String> head = matmul.select("thead th").eachText();
        assertThat(head.get(4)).contains("95 % interval").startsWith(head.get(3).split(" ", 2)[0]);
        assertThat(matmul.select("td.drawn svg.interval")).isNotEmpty();
    }

    @Test
    void a_variant_has_its_own_rows_and_all_builds_are_a_choice() {
        Document page = page(client, Urls.server("spring-mvc", "virtual") + "?jdk=all");
        assertThat(page.select("tbody th[scope=row] .model").eachText())
                .isNotEmpty()
                .allMatch(name -> name.startsWith("virtual"));
        assertThat(section(page, Results.IO).select("td.build").eachText()).anyMatch(build -> build.startsWith("28"));
        assertThat(page.select("nav.crumbs a").eachAttr("href"))
                .containsExactly(Urls.servers(), Urls.server("spring-mvc"));
    }

    @Test
    void the_list_names_every_server_once_and_its_variants() {
        Document page = page(client, Urls.servers());
        assertThat(page.select("tbody th[scope=row]").eachText())
                .contains("spring-mvc", "spring-webflux")
                .doesNotHaveDuplicates();
        assertThat(page.select("tbody td a").eachAttr("href")).contains(Urls.server("spring-mvc", "platform-100"));
    }

    @Test
    void its_twin_has_no_rank_which_is_one_among_all_servers() {
        JsonNode twin = json(client.get()
                .uri(Urls.server("spring-mvc") + ".json")
                .exchange()
                .expectStatus()
                .isOk());
        assertThat(twin.get("schema").asString()).isEqualTo("loomboard.server/1");
        List<String> loads = new ArrayList<>();
        twin.get("scenarios").forEach(load -> {
            loads.add(load.get("scenario").get("key").asString());
            load.get("rows").forEach(row -> assertThat(row.has("rank")).isFalse());
        });
        assertThat(loads).contains(Results.IO, Results.MATMUL);
    }

    @Test
    void what_nobody_measured_or_one_may_not_see_has_no_page() {
        for (String path : List.of(Urls.server("none"), Urls.server("spring-mvc", "none"), Urls.server("a b<c>"))) {
            client.get()
                    .uri(URI.create(service.url() + path))
                    .exchange()
                    .expectStatus()
                    .isNotFound();
        }
        assertThat(page(as(Role.OWNER), Urls.servers()).select("tbody tr").size())
                .isGreaterThanOrEqualTo(
                        page(client, Urls.servers()).select("tbody tr").size());
    }

    private static Element section(Document page, String scenario) {
        return page.select("section").stream()
                .filter(section -> section.select("h2").text().equals(words(scenario)))
                .findFirst()
                .orElseThrow();
    }

    /** As jsoup reads it: with plain spaces. */
    private static String words(String scenario) {
        return ScenarioText.of(scenario).words();
    }
}
