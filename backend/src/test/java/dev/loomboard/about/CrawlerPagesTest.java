package dev.loomboard.about;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Results;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.Urls;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;

/** What search engines are told, and that it is so. */
final class CrawlerPagesTest extends WebTest {

    private final Results.Ids ids = Results.shared();

    @Test
    void the_sitemap_names_what_everybody_may_see_and_each_address_has_a_page() {
        List<String> paths = sitemap();
        List<String> shown = List.of(
                Urls.methodology(),
                Results.board(Results.IO),
                Urls.servers(),
                Urls.server("spring-mvc", "virtual"),
                Urls.jdk(25, Results.JDK_25),
                Urls.run(ids.doneRun()),
                Urls.series(ids.series()));
        assertThat(paths)
                .doesNotHaveDuplicates()
                .containsAll(shown)
                .doesNotContain(Urls.run(ids.privateRun()), Urls.series(ids.privateSeries()))
                .anyMatch(path -> path.startsWith("/w/main/machines/"));
        shown.forEach(path -> assertThat(canonical(path)).isEqualTo(path));
    }

    @Test
    void crawlers_are_sent_to_the_sitemap_and_kept_from_filters() {
        assertThat(body("/robots.txt")).contains("Sitemap: " + service.url() + "/sitemap.xml", "Disallow: /*?\n");
    }

    @Test
    void a_filter_an_order_or_a_part_of_a_page_is_no_page_of_its_own() {
        assertThat(canonical("/leaderboard?sort=rss_mib&jdk=all"))
                .startsWith("/leaderboard/")
                .doesNotContain("?");
        assertThat(canonical(Results.board(Results.IO) + "?page=2")).isEqualTo(Results.board(Results.IO));
        assertThat(canonical("/servers/spring-mvc?jdk=all")).isEqualTo("/servers/spring-mvc");
        assertThat(canonical("/runs?state=done")).isEqualTo("/runs");
        assertThat(canonical("/compare?axis=server&metric=rss_mib")).isEqualTo("/compare?axis=server");
    }

    private String canonical(String path) {
        // The address is given whole: a key of a scenario is encoded already.
        return Jsoup.parse(body(path)).select("link[rel=canonical]").attr("href");
    }

    private List<String> sitemap() {
        return Jsoup.parse(body("/sitemap.xml"), "", Parser.xmlParser()).select("url > loc").eachText().stream()
                .map(address -> address.replace(service.url(), ""))
                .toList();
    }

    private String body(String path) {
        byte[] body = client.get()
                .uri(URI.create(service.url() + path))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseBody();
        return new String(Objects.requireNonNull(body), StandardCharsets.UTF_8);
    }
}
