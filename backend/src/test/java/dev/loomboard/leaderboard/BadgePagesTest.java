package dev.loomboard.leaderboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.WebTest;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.Urls;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/** Rows of boards as pictures that other sites show. */
final class BadgePagesTest extends WebTest {

    private static final String MATMUL = ScenarioText.of(Results.MATMUL).slug();

    @BeforeAll
    static void results() {
        Results.shared();
    }

    @Test
    void a_badge_says_the_result_its_interval_and_its_rank() {
        EntityExchangeResult<byte[]> answer = get(Urls.badge(MATMUL, "spring-mvc", "virtual"));
        assertThat(answer.getResponseHeaders().getFirst("Content-Type")).isEqualTo("image/svg+xml");
        assertThat(answer.getResponseHeaders().getFirst("Cross-Origin-Resource-Policy"))
                .isEqualTo("cross-origin");
        assertThat(answer.getResponseHeaders().getCacheControl()).contains("public");
        List<String> texts = svg(answer).select("text").eachText();
        assertThat(texts.getFirst()).startsWith("spring-mvc virtual, matmul");
        assertThat(texts.get(1))
                .matches("p99 latency [0-9.]+ ms \\([0-9.]+.–.[0-9.]+\\) · rank [0-9]+(–[0-9]+)? of [0-9]+ · JDK 25.*");
    }

    @Test
    void what_is_not_ranked_or_has_one_trial_says_so() {
        String slug = ScenarioText.of(Results.IO).slug();
        assertThat(svg(get(Urls.badge(slug, "spring-mvc", "virtual")))
                        .select("text")
                        .get(1)
                        .text())
                .contains("one trial", "not ranked");
    }

    @Test
    void nobody_is_shown_what_not_everybody_sees() {
        for (String path : List.of(
                Urls.badge(MATMUL, "unreleased", "virtual"),
                Urls.badge(MATMUL, "spring-mvc", "none"),
                Urls.badge("none", "spring-mvc", "virtual"))) {
            as(Role.OWNER).get().uri(path).exchange().expectStatus().isNotFound();
        }
    }

    @Test
    void pages_stay_of_this_site_alone() {
        assertThat(get(Urls.leaderboard()).getResponseHeaders().getFirst("Cross-Origin-Resource-Policy"))
                .isEqualTo("same-origin");
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

    private static Document svg(EntityExchangeResult<byte[]> answer) {
        String text = new String(Objects.requireNonNull(answer.getResponseBody()), StandardCharsets.UTF_8);
        return Jsoup.parse(text, "", Parser.xmlParser());
    }
}
