package dev.loomboard.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.WebTest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Each chart, and the rows of a board, at an address of their own. */
final class PicturePagesTest extends WebTest {

    private final Results.Ids ids = Results.shared();

    @Test
    void a_history_is_a_picture_that_other_sites_may_show() {
        String page = "/series/" + ids.watchedSeries();
        EntityExchangeResult<byte[]> answer = get(client, page + ".svg");
        assertThat(answer.getResponseHeaders().getFirst("Content-Type")).isEqualTo("image/svg+xml");
        assertThat(answer.getResponseHeaders().getFirst("Cross-Origin-Resource-Policy"))
                .isEqualTo("cross-origin");
        Document svg = svg(answer);
        assertThat(svg.select("title").text()).contains("per JDK build", "spring-mvc", "bench-pages");
        assertThat(svg.select("text").eachText()).as("the page's address").anyMatch(text -> text.startsWith(page));
        assertThat(svg.select("g path")).isNotEmpty();
        assertThat(page(client, page).select("a[href^=" + page + ".svg]")).hasSize(1);
    }

    @Test
    void each_chart_of_a_trial_has_an_address() {
        String page = "/trials/" + ids.trial();
        List<String> addresses =
                page(client, page).select("figure a[href*=.svg]").eachAttr("href");
        assertThat(addresses).hasSizeGreaterThan(5).doesNotHaveDuplicates();
        for (String address : addresses) {
            assertThat(svg(get(client, address)).select("g path")).as(address).isNotEmpty();
        }
        client.get().uri(page + ".svg?chart=none").exchange().expectStatus().isEqualTo(422);
    }

    @Test
    void the_rows_of_a_board_are_as_on_its_page() {
        String board = Results.board(Results.MATMUL);
        Document svg = svg(get(client, board + ".svg"));
        Document page = page(client, board);
        assertThat(page.select("title").text()).startsWith(svg.select("title").text());
        for (String place : page.select(".place").eachText()) {
            assertThat(svg.select("text").eachText()).anyMatch(text -> text.startsWith("rank " + place + " of "));
        }
        assertThat(page.select("a[href^=" + board + ".svg]")).hasSize(1);
    }

    @Test
    void latency_against_memory_is_a_picture_too() {
        List<String> addresses = page(client, Results.board(Results.MATMUL) + "?view=pareto")
                .select("figure a[href*=.svg]")
                .eachAttr("href");
        assertThat(addresses).isNotEmpty();
        for (String address : addresses) {
            assertThat(svg(get(client, address)).select("text").eachText())
                    .as(address)
                    .contains("frontier");
        }
    }

    @Test
    void what_not_everybody_sees_only_members_get() {
        for (String path :
                List.of("/series/" + ids.privateSeries() + ".svg", "/trials/" + ids.privateTrial() + ".svg")) {
            client.get().uri(path).exchange().expectStatus().isNotFound();
            as(Role.STRANGER).get().uri(path).exchange().expectStatus().isNotFound();
            get(as(Role.MEMBER), path);
        }
        assertThat(svg(get(client, Results.board(Results.MATMUL) + ".svg")).text())
                .doesNotContain("unreleased");
        assertThat(svg(get(as(Role.MEMBER), Results.board(Results.MATMUL) + ".svg"))
                        .text())
                .contains("unreleased");
    }

    private EntityExchangeResult<byte[]> get(WebTestClient client, String path) {
        return client.get()
                .uri(URI.create(service.url() + path))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult();
    }

    private static Document svg(EntityExchangeResult<byte[]> answer) {
        return Jsoup.parse(text(answer), "", Parser.xmlParser());
    }

    private static String text(EntityExchangeResult<byte[]> answer) {
        return new String(Objects.requireNonNull(answer.getResponseBody()), StandardCharsets.UTF_8);
    }
}
