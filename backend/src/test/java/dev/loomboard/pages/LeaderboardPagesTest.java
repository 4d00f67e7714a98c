package dev.loomboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The leaderboard of open loads: ranks and who sees them, what cannot rank, filters, columns, latency against what it costs, twins. */
final class LeaderboardPagesTest extends ShownPages {

    private static final String IO = Results.board(Results.IO) + "?jdk=all";
    private static final String MATMUL = Results.board(Results.MATMUL) + "?jdk=all";

    LeaderboardPagesTest() {
        Results.shared(); // its rows are what the pages show
    }

    @Test
    void leaderboard_greys_what_may_not_be_judged_and_says_why_in_text() {
        Document page = shown(client, IO);
        assertThat(page.select("tr.few .ineligible")).isNotEmpty();
        assertThat(page.select("[role=tooltip]").text()).contains("36 hits lie beyond this percentile");
        assertThat(page.select(".one-trial").text()).contains("one trial: no interval");
        assertThat(page.select("th[aria-sort]").text())
                .as("so few hits cannot judge p99, so the scenario ranks by p50")
                .startsWith("p50");
    }

    @Test
    void what_cannot_rank_is_listed_apart_with_the_reason() {
        Document page = shown(client, IO);
        assertThat(page.select("tbody:has(tr.unranked)").text()).contains("Unranked", "lag p99 14 ms");
        assertThat(page.select("tbody:has(tr.few)").text())
                .contains("Not enough trials, not ranked", "1 of 10 trials", "Rows are sorted by name", "two digits");
        assertThat(page.select(".place")).isEmpty();
        assertThat(page.text()).contains("Nothing is ranked here yet").doesNotContain("Ranks are ranges");
    }

    @Test
    void ranks_are_ranges_with_their_ties_in_words() {
        Document page = shown(client, MATMUL);
        assertThat(page.select("tr.ranked .place")).hasSize(12);
        assertThat(page.select("tr.ranked svg.interval[aria-label^=95 % interval]"))
                .hasSize(12);
        assertThat(page.select("tbody tr.group").text()).startsWith("Ranked by Response time p99, on 2 cores");
        Element first = Objects.requireNonNull(page.select("tr.ranked").first());
        assertThat(first.select(".place").text()).isEqualTo("1–10");
        assertThat(first.select("td.thin [role=tooltip]").text())
                .startsWith("1–10 of 12: not distinguishable from spring-mvc virtual on 28-ea+97,")
                .endsWith("and 6 more");
        assertThat(page.select("tbody tr.group").text())
                .contains(
                        "Spread from run to run: 2.00",
                        "assumed, because there are fewer than 5 runs of the same server build.");
        assertThat(page.text()).contains("Ranks are ranges", "95 % confidence");
    }

    @Test
    void private_rows_are_their_members_and_no_public_rank_tells_of_them() {
        Document everybody = shown(client, MATMUL);
        assertThat(everybody.text()).doesNotContain("unreleased", "visible to members");
        assertThat(everybody.select(".tip").text()).doesNotContain("of 13");
        assertThat(places(shown(as(Role.STRANGER), MATMUL))).isEqualTo(places(everybody));
        Document owner = shown(as(Role.OWNER), MATMUL);
        assertThat(places(owner)).startsWith(places(everybody).toArray(String[]::new));
        Element own = Objects.requireNonNull(
                owner.select("tbody:has(.badge:contains(private))").first());
        assertThat(own.select("tr.group").text()).contains("visible to members of main only");
        assertThat(own.select("tr:not(.group)")).hasSize(1);
        assertThat(own.select("[role=tooltip]").text()).contains("1 of 1: no other row is ranked yet");
        assertThat(text(as(Role.STRANGER), MATMUL.replace("?", ".csv?"))).doesNotContain("unreleased");
        assertThat(text(as(Role.STRANGER), MATMUL.replace("?", ".json?"))).doesNotContain("unreleased");
    }

    @Test
    void filters_are_in_the_url_can_be_removed_and_change_no_rank() {
        Document page = shown(client, IO + "&model=event-loop");
        assertThat(page.select("table.board tbody tr:not(.group)")).hasSize(2);
        assertThat(page.select("a.chip.on[href^=/leaderboard/]").eachAttr("href"))
                .anyMatch(href -> !href.contains("model="));
        List<String> all = places(shown(client, MATMUL));
        Document filtered = shown(client, MATMUL + "&model=event-loop");
        assertThat(filtered.select("tr.ranked")).hasSize(3);
        assertThat(all).containsAll(places(filtered));
        assertThat(filtered.text()).contains("Filters hide rows; ranks do not change.");
        assertThat(shown(client, MATMUL + "&framework=none").select("table.board"))
                .isEmpty();
    }

    @Test
    void an_address_of_before_leads_to_the_one_that_people_can_read() {
        client.get()
                .uri(URI.create(service.url() + "/leaderboard?jdk=all&scenario=" + encoded(Results.IO)))
                .exchange()
                .expectStatus()
                .isEqualTo(HttpStatus.MOVED_PERMANENTLY)
                .expectHeader()
                .location("/leaderboard/io-100ms-300rps-12s?jdk=all");
        assertThat(json(client, "/leaderboard?scenario=" + encoded(Results.IO)))
                .isEqualTo(json(client, "/leaderboard/io-100ms-300rps-12s?"));
    }

    @Test
    void each_variant_is_shown_on_its_newest_release_and_ranked_among_what_is_shown() {
        String board = Results.board(Results.MATMUL);
        Document page = shown(client, board);
        assertThat(page.select("[aria-label=JDK builds] a.on").eachText()).containsExactly("newest GA");
        assertThat(page.select("tr.ranked th").eachText()).doesNotHaveDuplicates();
        assertThat(page.select("tr.ranked td.nowrap").text()).doesNotContain("-ea");
        int rows = page.select("tr.ranked").size();
        assertThat(page.select("tr.ranked td.thin .variant").eachText()).containsOnly("of " + rows);
        Document early = shown(client, board + "?jdk=newest-ea");
        assertThat(early.select("tr.ranked td.nowrap").eachText()).allMatch(build -> build.contains("-ea"));
        assertThat(shown(client, board + "?jdk=99").text())
                .contains("No row passes these filters")
                .doesNotContain("0 scored trials");
    }

    @Test
    void a_row_with_a_history_shows_its_course() {
        Document page = shown(client, MATMUL);
        assertThat(page.select("svg.course").eachAttr("aria-label"))
                .isNotEmpty()
                .allMatch(words -> words.contains(" points, from "));
        assertThat(page.select("tr.group th").eachAttr("colspan"))
                .containsOnly(String.valueOf(page.select("thead th").size()));
    }

    @Test
    void highest_rate_comes_from_the_search_of_the_same_workload() {
        Document page = shown(client, IO);
        assertThat(page.select("thead").text()).contains("Max rate", "p99 ≤ 250");
        JsonNode row = json(client, IO)
                .path("boards")
                .get(0)
                .path("groups")
                .valueStream()
                .flatMap(group -> group.path("rows").valueStream())
                .filter(r -> r.has("found"))
                .findFirst()
                .orElseThrow();
        assertThat(row.path("found").path("scenarioKey").asString()).isEqualTo(Results.SEARCH);
        assertThat(text(client, IO.replace("?", ".csv?"))).contains(Results.SEARCH, "max_rate_per_s");
    }

    @Test
    void latency_against_memory_marks_its_frontier_and_has_its_table() {
        Document page = shown(client, MATMUL + "&view=pareto");
        assertThat(page.select("figure[data-chart=pareto-0] canvas")).hasSize(1);
        assertThat(page.select("section table tbody tr")).hasSize(12);
        assertThat(page.select("section td strong").eachText()).contains("on the frontier");
        assertThat(page.select("section td.wrap").text()).contains("beaten by");
        JsonNode twin = json(client, MATMUL + "&view=pareto");
        JsonNode lines = twin.path("charts").get(0).path("lines");
        assertThat(lines.valueStream().map(line -> line.path("name").asString()))
                .contains("virtual threads", "platform threads", "event loop");
        long frontier = twin.path("pareto")
                .get(0)
                .path("rows")
                .valueStream()
                .filter(row -> row.path("frontier").asBoolean())
                .count();
        assertThat(frontier).isEqualTo(page.select("section td strong").size());
        assertThat(twin.path("boards").size()).isOne();
    }

    @Test
    void axes_of_the_chart_are_chosen_and_what_is_none_is_the_usual() {
        Document page = shown(client, MATMUL + "&view=pareto&x=cpu_us_per_request&y=response_p50_ms");
        assertThat(page.select("figure h2").text()).contains("against CPU per request");
        assertThat(page.select("[aria-label=Across] a[aria-current]").text()).isEqualTo("CPU per request");
        assertThat(page.select("[aria-label='Upright axis'] a[aria-current]")).hasSize(1);
        assertThat(json(client, MATMUL + "&view=pareto&x=cpu_us_per_request&y=response_p50_ms")
                        .path("pareto")
                        .get(0)
                        .path("axes")
                        .toString())
                .isEqualTo("{\"latency\":\"response_p50_ms\",\"cost\":\"cpu_us_per_request\"}");
        assertThat(shown(client, MATMUL + "&view=pareto&x=throughput_per_s")
                        .select("figure h2")
                        .text())
                .contains("against memory");
    }

    @Test
    void main_columns_come_first_and_all_are_a_click_away() {
        Document page = shown(client, MATMUL);
        assertThat(page.select("table.board thead").text())
                .contains("p99 latency", "RSS")
                .doesNotContain("p99.9");
        String all = page.select("[aria-label=Columns] a:not([aria-current])").attr("href");
        assertThat(shown(client, all).select("table.board thead").text()).contains("p99.9", "per GiB");
        assertThat(shown(client, MATMUL + "&sort=response_p999_ms")
                        .select("table.board thead")
                        .text())
                .as("what rows are ordered by is shown")
                .contains("p99.9");
    }

    @Test
    void leaderboard_has_its_rows_as_csv_and_json() {
        String csv = text(client, IO.replace("?", ".csv?"));
        assertThat(csv.lines().findFirst())
                .hasValueSatisfying(head -> assertThat(head)
                        .startsWith("standing,reason,server,variant,rank_best,rank_worst,ranked_entries"));
        assertThat(csv).contains("response_p50_ms", "1 of 10 trials; load and server share their cores");
        assertThat(text(client, MATMUL.replace("?", ".csv?")))
                .contains(
                        "1,10,12,0.02,true,\"1–10 of 12: not distinguishable from",
                        "throughput_per_core",
                        "startup_ms");
        JsonNode first =
                json(client, MATMUL).path("boards").get(0).path("groups").get(0);
        assertThat(first.path("standing").asString()).isEqualTo("ranked");
        JsonNode rank = first.path("rows").get(0).path("rank");
        assertThat(rank.path("best").asInt()).isEqualTo(1);
        assertThat(rank.path("worst").asInt()).isEqualTo(10);
        assertThat(rank.path("of").asInt()).isEqualTo(12);
        assertThat(rank.path("nearest").size()).isEqualTo(3);
        assertThat(rank.path("runSpread").path("spread").asDouble()).isEqualTo(0.02);
        assertThat(rank.path("runSpread").path("assumed").asBoolean()).isTrue();
    }

    private static List<String> places(Document page) {
        return page.select("tr.ranked:not(:has(.badge:contains(private)))").stream()
                .map(row -> row.select("th").text() + row.select("td").get(1).text() + " "
                        + Objects.requireNonNull(row.select("td").first()).text())
                .toList();
    }

    private JsonNode json(WebTestClient as, String path) {
        return JsonMapper.shared().readTree(text(as, path.replace("?", ".json?")));
    }

    private String text(WebTestClient as, String path) {
        byte[] body = get(as, path).getResponseBody();
        return body == null ? "" : new String(body, StandardCharsets.UTF_8);
    }
}
