package dev.loomboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Results;
import dev.loomboard.kit.WebTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/** What a browser fetches with a page, and how little of it a second time. */
final class FrontEndTest extends WebTest {

    private final Results.Ids ids = Results.shared();

    @Test
    void a_page_loads_one_style_sheet_and_browsers_keep_its_files() {
        Document page = page(client, "/series/" + ids.series());
        List<String> files = page.select("link[rel=stylesheet], link[rel=icon], link[rel=modulepreload]")
                .eachAttr("href");
        files.addAll(page.select("script[src]").eachAttr("src"));
        assertThat(files).hasSizeGreaterThan(5).allMatch(file -> file.startsWith(FrontEnd.FILES + FrontEnd.VERSION));
        for (String file : files) {
            assertThat(get(file).getResponseHeaders().getCacheControl())
                    .as(file)
                    .contains("max-age=31536000", "public", "immutable");
        }
        assertThat(page.select("link[rel=stylesheet]")).hasSize(1);
        assertThat(text(get(FrontEnd.file("css/all.css"))))
                .contains(":root", ".table-wrap", ".flame")
                .doesNotContain("@import");
    }

    @Test
    void files_of_another_version_are_not_given_for_these() {
        for (String path : List.of("/files/0123456789ab/js/app.js", FrontEnd.file("js/none.js"))) {
            client.get().uri(path).exchange().expectStatus().isNotFound();
        }
    }

    @Test
    void a_twin_that_a_browser_has_is_not_sent_again() {
        String tag = Objects.requireNonNull(
                get("/series/" + ids.series() + ".json").getResponseHeaders().getETag());
        client.get()
                .uri("/series/" + ids.series() + ".json")
                .header(HttpHeaders.IF_NONE_MATCH, tag)
                .exchange()
                .expectStatus()
                .isNotModified();
    }

    private EntityExchangeResult<byte[]> get(String path) {
        return client.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult();
    }

    private static String text(EntityExchangeResult<byte[]> answer) {
        return new String(Objects.requireNonNull(answer.getResponseBody()), StandardCharsets.UTF_8);
    }
}
